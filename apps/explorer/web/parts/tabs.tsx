import { useLayoutEffect, useRef } from 'preact/hooks';
import { onPlainClick, parameter, setParameter } from '../router.js';
import { count } from './numbers.js';

const name = 'tab';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: string;
  /** Shown behind the title. */
  readonly number?: number | undefined;
}

/** The tab that the address of the page names; the first one, if it names none of them. */
export const chosenTab = <Name extends string>(tabs: readonly Tab<Name>[]): Name =>
  (tabs.find((tab) => tab.name === parameter(name)) ?? tabs[0]!).name;

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab<string>[];
  /** Of the page. */
  readonly path: string;
}

/** Parts of a page of which one is shown, each with an address of its own. */
export const Tabs = ({ label, tabs, path }: TabsProps) => {
  const chosen = chosenTab(tabs);
  const element = useRef<HTMLElement>(null);
  // On a phone they are wider than the window.
  useLayoutEffect(() => {
    const nav = element.current!;
    const current = nav.querySelector<HTMLElement>('[aria-current]');
    if (current !== null)
      nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
  }, [chosen]);
  return (
    <nav class="tabs" aria-label={label} ref={element}>
      {tabs.map((tab, i) => (
        <a
          key={tab.name}
          href={i === 0 ? path : `${path}?${name}=${tab.name}`}
          aria-current={tab.name === chosen ? 'page' : undefined}
          onClick={(event) => onPlainClick(event, () => setParameter(name, i === 0 ? undefined : tab.name))}
        >
          {tab.title}
          {tab.number !== undefined && <span class="quiet number">{count(tab.number)}</span>}
        </a>
      ))}
    </nav>
  );
};

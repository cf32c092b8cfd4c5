import { type ComponentChildren, type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { go, path } from '../router.js';
import { nodeDocumentation, pageState } from '../store/page-state.js';
import { texts } from '../texts.js';
import { useKeys } from './keys.js';
import { Link } from './links.js';

interface Place {
  /** A path of this page, below the base. */
  readonly to: string;
  readonly name: string;
  /** Paths that belong to it. */
  readonly form: RegExp;
  /** Lines of its picture in the bar of a phone, 20 by 20. */
  readonly picture: string;
}

const places: readonly Place[] = [
  { to: '', name: texts.frame.network, form: /^$/, picture: 'M3 5h14M3 10h14M3 15h14M7 3v4M13 8v4M9 13v4' },
  {
    to: 'block',
    name: texts.frame.blocks,
    form: /^(block|chain)/,
    picture: 'M3 6l7-3 7 3v8l-7 3-7-3zM3 6l7 3 7-3M10 9v8',
  },
  {
    to: 'pending',
    name: texts.frame.pending,
    form: /^pending/,
    picture: 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 6v4l3 2',
  },
  { to: 'stats', name: texts.frame.stats, form: /^stats/, picture: 'M3 17h14M5 14V9M10 14V4M15 14v-7' },
];

const more = /^(transactions|richlist|about)/;
const morePicture = 'M4 10h.01M10 10h.01M16 10h.01';

const Picture = ({ of }: { readonly of: string }) => (
  <svg viewBox="0 0 20 20" aria-hidden="true">
    <path d={of} />
  </svg>
);

/** Places that are not in the bar. It closes as soon as one is chosen or something else is. */
const More = ({ children }: { readonly children: ComponentChildren }) => {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onElsewhere = ({ type, target }: Event): void => {
      const isInside = target instanceof Node && element.current!.contains(target);
      const isLink = target instanceof Element && target.closest('a') !== null;
      if (!isInside || (type === 'click' && isLink)) element.current!.open = false;
    };
    const onEscape = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape' || !element.current!.open) return;
      element.current!.open = false;
      element.current!.querySelector('summary')!.focus();
    };
    document.addEventListener('click', onElsewhere);
    document.addEventListener('focusin', onElsewhere);
    document.addEventListener('keydown', onEscape);
    return () => {
      document.removeEventListener('click', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
      document.removeEventListener('keydown', onEscape);
    };
  }, []);
  return (
    <details ref={element} class="more-places">
      <summary class={more.test(path.value) ? 'current' : ''}>
        <Picture of={morePicture} />
        {texts.frame.more}
      </summary>
      <ul>{children}</ul>
    </details>
  );
};

const isCurrent = (of: string): 'page' | undefined => (path.value === of ? 'page' : undefined);

const MoreLink = ({ to, name }: { readonly to: string; readonly name: string }) => (
  <li>
    <Link to={to} current={isCurrent(to)}>
      {name}
    </Link>
  </li>
);

/** Links to the documentation of both APIs. */
export const DocumentationLinks = ({ wrap }: { readonly wrap?: (link: VNode) => VNode }) => {
  const { documentation, nodeDocumentation: ofNode } = texts.frame;
  const node = nodeDocumentation(pageState);
  const links = [<a href="docs/">{documentation}</a>, ...(node === undefined ? [] : [<a href={node}>{ofNode}</a>])];
  return <>{wrap === undefined ? links : links.map(wrap)}</>;
};

/** The places of the explorer: in the header, on a phone in a bar at the bottom. */
export const Places = () => {
  const { frame } = texts;
  useKeys({ 'g n': () => go(''), 'g b': () => go('block'), 'g p': () => go('pending'), 'g s': () => go('stats') });
  return (
    <nav aria-label={texts.name} class="places">
      {places.map(({ to, name, form, picture }) => (
        <Link key={to} to={to} class={form.test(path.value) ? 'current' : ''} current={isCurrent(to)}>
          <Picture of={picture} />
          {name}
        </Link>
      ))}
      <More>
        <MoreLink to="transactions" name={texts.stats.transactions} />
        <MoreLink to="richlist" name={frame.richList} />
        <MoreLink to="about" name={frame.about} />
        <DocumentationLinks wrap={(link) => <li>{link}</li>} />
      </More>
    </nav>
  );
};

import { type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from '../texts.js';

/** Names the tab of the browser. @param title undefined: not known yet */
export const useTabTitle = (title: string | undefined): void =>
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${texts.name}`;
  }, [title]);

interface PageTitleProps {
  readonly title: string;
  readonly intro: ComponentChildren;
  /** At the right. */
  readonly children?: ComponentChildren;
}

/** The title of a page about the whole network. */
export const PageTitle = ({ title, intro, children }: PageTitleProps) => (
  <div class="title">
    <div>
      <h1>{title}</h1>
      <p>{intro}</p>
    </div>
    {children}
  </div>
);

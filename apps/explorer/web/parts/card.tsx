import { type ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { now } from '../store/network.js';
import { type ApiFailure } from '../stream/api.js';
import { texts } from '../texts.js';
import { span } from './numbers.js';

interface CardProps {
  readonly title: ComponentChildren;
  /** At the right of the title. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export const Card = ({ title, aside, class: name = '', children }: CardProps) => (
  <section class={`card ${name}`}>
    <header class="card-head">
      <h2>{title}</h2>
      {aside !== undefined && <div class="card-aside">{aside}</div>}
    </header>
    {children}
  </section>
);

/** Counts down to the next try. */
const Waiting = ({ ms }: { readonly ms: number }) => {
  const until = useRef(now.peek() + ms);
  return <span class="number">{texts.failure.retriesIn(span(Math.max(0, until.current - now.value)))}</span>;
};

/** A part of a page that could not be read; the rest of the page stays. */
export const Failure = ({ failure, retry }: { readonly failure: ApiFailure; readonly retry: () => void }) => (
  <div class="failure" role="alert">
    <p>
      {texts.failure.text(failure.message)}{' '}
      {failure.retryAfterMs !== undefined && <Waiting ms={failure.retryAfterMs} />}
    </p>
    {failure.requestId !== undefined && <p class="quiet">{texts.failure.request(failure.requestId)}</p>}
    <button type="button" class="button small" onClick={retry}>
      {texts.failure.retry}
    </button>
  </div>
);

export const Facts = ({ children }: { readonly children: ComponentChildren }) => <dl class="facts">{children}</dl>;

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
  readonly hint?: ComponentChildren;
}

export const Fact = ({ name, children, hint }: FactProps) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd class="fact-value">{children}</dd>
    {hint !== undefined && <dd class="quiet">{hint}</dd>}
  </div>
);

/** Rows of a name and a value. */
export const Row = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="row">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface PillProps {
  readonly kind: 'good' | 'bad' | 'warning' | 'plain';
  readonly children: ComponentChildren;
}

/** A state in a word. */
export const StatePill = ({ kind, children }: PillProps) => <span class={`state ${kind}`}>{children}</span>;

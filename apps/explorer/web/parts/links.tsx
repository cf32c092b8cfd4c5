import { type ComponentChildren } from 'preact';
import { accountOf } from '../store/development.js';
import { type Chain } from '../store/forms.js';

export interface LinkProps {
  /** A path of this page, below the base. */
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly title?: string;
  /** Whether it leads to the page that is shown. */
  readonly current?: 'page' | undefined;
}

/** A link to a page of this script. */
export const Link = ({ to, children, class: name, title, current }: LinkProps) => (
  <a href={to} data-page={to} class={name} title={title} aria-current={current}>
    {children}
  </a>
);

/** The first and the last digits of a hash, id or address. */
export const ends = (text: string, first = 6, last = 5): string =>
  text.length <= first + last + 1 ? text : `${text.slice(0, first)}…${text.slice(-last)}`;

interface IdProps {
  readonly id: string;
  readonly first?: number;
  readonly last?: number;
}

const IdLink = ({ id, first, last, to }: IdProps & { readonly to: string }) => (
  <Link to={to} class="id" title={id}>
    {ends(id, first, last)}
  </Link>
);

export const BlockLink = (props: IdProps) => <IdLink {...props} to={`block/${props.id}`} />;
export const TransactionLink = (props: IdProps) => <IdLink {...props} to={`tx/${props.id}`} />;

/** By its name, where it is an account of a development network. */
export const AddressLink = (props: IdProps) => {
  const to = `address/${props.id}`;
  const account = accountOf(props.id);
  if (account === undefined) return <IdLink {...props} to={to} />;
  return (
    <Link to={to} class={`account ${groupClass(account.group)}`} title={props.id}>
      {account.name}
    </Link>
  );
};

export const chainPath = ({ chainFrom, chainTo }: Chain): string => `chain/${chainFrom}/${chainTo}`;

/** Colours repeat after this many groups; the digits tell them apart. */
const groupColours = 8;

export const groupClass = (group: number): string => `group-${group % groupColours}`;

/** The token of the colour of a group, for what has no styles. */
export const groupToken = (group: number): string => `--${groupClass(group)}`;

/** The mark of a chain: two groups in their colours. */
export const ChainBadge = ({ chainFrom: from, chainTo: to }: Chain) => (
  <span class="chain">
    <span class={groupClass(from)}>{from}</span>
    <span class={groupClass(to)}>
      <span class="arrow" aria-hidden="true">
        →
      </span>
      <span class="unseen"> to </span>
      {to}
    </span>
  </span>
);

export const GroupBadge = ({ group }: { readonly group: number }) => (
  <span class={`group ${groupClass(group)}`}>{group}</span>
);

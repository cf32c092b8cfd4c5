import { type ComponentChildren } from 'preact';
import { type ShownList } from '../store/list.js';
import { texts } from '../texts.js';
import { Failure } from './card.js';

interface ListStateProps {
  readonly list: Pick<ShownList<unknown>, 'rows' | 'failure' | 'isLoading' | 'retry'>;
  /** Why there is no row. */
  readonly none: string;
}

/** What is said of a list beside its rows: that it could not be read, or why it is empty. */
export const ListState = ({ list: { rows, failure, isLoading, retry }, none }: ListStateProps) => {
  if (failure !== undefined) return <Failure failure={failure} retry={retry} />;
  return rows.length === 0 ? <p class="empty">{isLoading ? texts.loading : none}</p> : null;
};

interface MoreProps {
  /** Undefined at the end of the list. */
  readonly more: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** Reads on in a list. */
export const More = ({ more, children }: MoreProps) =>
  more === undefined ? null : (
    <p class="empty">
      <button type="button" class="button" onClick={more}>
        {children}
      </button>
    </p>
  );

import { Copy } from './values.js';

const shown = 8;

/** The id of a token in full, its first and last digits so that two can be compared. */
export const SubjectId = ({ id }: { readonly id: string }) => (
  <p class="full-id">
    <span>
      <b>{id.slice(0, shown)}</b>
      {id.slice(shown, -shown)}
      <b>{id.slice(-shown)}</b>
    </span>{' '}
    <Copy text={id} />
  </p>
);

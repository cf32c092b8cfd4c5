import { type VNode } from 'preact';
import { groups } from '../store/network.js';
import { texts } from '../texts.js';
import { groupClass } from './links.js';

interface GroupTableProps {
  readonly class: string;
  /** The cell of a chain. */
  readonly cell: (from: number, to: number) => VNode;
  /** A last cell of each row. */
  readonly rowEnd?: (from: number) => VNode;
  /** A last row. */
  readonly foot?: VNode;
}

/** A row for each sending group, a column for each receiving one. */
export const GroupTable = ({ class: name, cell, rowEnd, foot }: GroupTableProps) => {
  const all = Array.from({ length: groups.value }, (_, group) => group);
  return (
    <table class={name}>
      <caption>{texts.matrix.toGroup}</caption>
      <thead>
        <tr>
          <td />
          {all.map((to) => (
            <th key={to} scope="col" class={groupClass(to)}>
              {to}
            </th>
          ))}
          {rowEnd && <td />}
        </tr>
      </thead>
      <tbody>
        {all.map((from) => (
          <tr key={from} class={groupClass(from)}>
            <th scope="row">{from}</th>
            {all.map((to) => cell(from, to))}
            {rowEnd?.(from)}
          </tr>
        ))}
        {foot}
      </tbody>
    </table>
  );
};

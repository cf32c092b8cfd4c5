import { indexOfChain } from '../store/chains.js';
import { calmNetwork, groups, now } from '../store/network.js';
import { trafficOf } from '../store/network-state.js';
import { texts } from '../texts.js';
import { Card } from './card.js';
import { GroupTable } from './group-table.js';
import { chainPath, Link } from './links.js';
import { briefText, span } from './numbers.js';
import { tintOf } from './tints.js';

const hourMs = 3_600_000;
/** More of them need narrow cells. */
const manyGroups = 5;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** How much stays inside a group. */
const Shares = ({ inside, total }: { readonly inside: number; readonly total: number }) => (
  <>
    <svg class="share" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="3" />
      <rect class="part" width={inside * 100} height="3" />
    </svg>
    <p class="shares">
      {total === 0 ? (
        <span class="quiet">{texts.matrix.none}</span>
      ) : (
        <>
          <span>
            <b>{percent(inside)}</b> {texts.matrix.inside}
          </span>
          <span>
            <b>{percent(1 - inside)}</b> {texts.matrix.across}
          </span>
        </>
      )}
    </p>
  </>
);

/** Transactions from group to group. */
export const Matrix = () => {
  const number = groups.value;
  const { counts, total, inside, spanMs } = trafficOf(calmNetwork.value, now.value);
  const most = Math.max(...counts, 1);
  const all = Array.from({ length: number }, (_, group) => group);
  const at = (chainFrom: number, chainTo: number): number => counts[indexOfChain({ chainFrom, chainTo }, number)]!;
  const last = spanMs >= hourMs ? texts.matrix.hour : span(spanMs).split(' ').slice(0, 2).join(' ');
  return (
    <Card title={texts.matrix.title} aside={<span class="quiet">{texts.matrix.last(last)}</span>} class="matrix">
      <GroupTable
        class={number > manyGroups ? 'many' : ''}
        cell={(from, to) => (
          <td key={to} class={`cell tint-${tintOf(at(from, to) / most)}`}>
            <Link to={chainPath({ chainFrom: from, chainTo: to })} title={texts.chain.title(from, to)}>
              {briefText(at(from, to))}
            </Link>
          </td>
        )}
        rowEnd={(from) => <td class="sum">{briefText(sum(all.map((to) => at(from, to))))}</td>}
        foot={
          <tr>
            <td />
            {all.map((to) => (
              <td key={to} class="sum">
                {briefText(sum(all.map((from) => at(from, to))))}
              </td>
            ))}
            <td />
          </tr>
        }
      />
      <Shares inside={inside} total={total} />
    </Card>
  );
};

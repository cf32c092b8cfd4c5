import { indexOfChain } from '../../store/chains.js';
import { groups } from '../../store/network.js';
import { type Values } from '../../store/statistics.js';
import { texts } from '../../texts.js';
import { GroupTable } from '../group-table.js';
import { chainPath, Link } from '../links.js';
import { briefText, count } from '../numbers.js';
import { barsPath } from './geometry.js';

const [width, height] = [100, 40];

const sumOf = (values: Values): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** A small chart for each chain, all with one scale. @param chains values by the index of the chain */
export const ChainMultiples = ({ chains }: { readonly chains: readonly Values[] }) => {
  const most = Math.max(1, ...chains.flatMap((values) => values.map((value) => value ?? 0)));
  const cell = (from: number, to: number) => {
    const chain = { chainFrom: from, chainTo: to };
    const values = chains[indexOfChain(chain, groups.value)] ?? [];
    return (
      <td key={to} class="cell">
        <Link to={chainPath(chain)} title={texts.stats.chainLabel(`${from} → ${to}`, count(sumOf(values)))}>
          <span class="number">{briefText(sumOf(values))}</span>
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
            <path d={barsPath(values, most, width, height)} />
          </svg>
        </Link>
      </td>
    );
  };
  return (
    <div class="scroll">
      <GroupTable class="multiples" cell={cell} />
    </div>
  );
};

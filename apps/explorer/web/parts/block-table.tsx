import { type BlockLite } from '../store/forms.js';
import { calmNetwork } from '../store/network.js';
import { texts } from '../texts.js';
import { BlockLink, ChainBadge, Link } from './links.js';
import { count } from './numbers.js';
import { Age } from './values.js';

/** Blocks of any chains; those that have just arrived are marked. */
export const BlockTable = ({
  blocks,
  caption,
}: {
  readonly blocks: readonly BlockLite[];
  readonly caption: string;
}) => {
  const { latest } = texts;
  const { arrived } = calmNetwork.value;
  return (
    <table class="fixed">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th>{latest.chain}</th>
          <th>{latest.height}</th>
          <th class="wide-only">{latest.hashEnds}</th>
          <th class="number">{latest.count}</th>
          <th class="number">{latest.age}</th>
        </tr>
      </thead>
      <tbody>
        {/* By their places: what is new takes the place of what was there, and nothing moves. */}
        {blocks.map((block, place) => (
          <tr key={place} class={arrived.has(block.hash) ? 'fresh' : ''}>
            <td>
              <ChainBadge {...block} />
            </td>
            <td>
              <Link to={`block/${block.hash}`} class="number">
                {count(block.height)}
              </Link>
            </td>
            <td class="wide-only">
              <BlockLink id={block.hash} first={0} last={6} />
            </td>
            <td class="number">{count(block.txNumber)}</td>
            <td class="number quiet">
              <Age timestamp={block.timestamp} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

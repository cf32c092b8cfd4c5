import { type BlockLite } from '../store/forms.js';
import { calmNetwork } from '../store/network.js';
import { texts } from '../texts.js';
import { Miner, Moved, Reward } from './block-summary.js';
import { BlockLink, ChainBadge, Link } from './links.js';
import { count } from './numbers.js';
import { Age } from './values.js';

interface BlockTableProps {
  readonly blocks: readonly BlockLite[];
  readonly caption: string;
  /** Whether it says what each block has paid. */
  readonly hasSummaries?: boolean;
}

/** Blocks of any chains; those that have just arrived are marked. */
export const BlockTable = ({ blocks, caption, hasSummaries = false }: BlockTableProps) => {
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
          {hasSummaries && (
            <>
              <th class="miner wide-only">{texts.blocks.miner}</th>
              <th class="number wide-only">{texts.blocks.reward}</th>
              <th class="number">{latest.moved}</th>
            </>
          )}
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
            {hasSummaries && (
              <>
                <td class="miner wide-only">
                  <Miner hash={block.hash} />
                </td>
                <td class="number wide-only">
                  <Reward hash={block.hash} />
                </td>
                <td class="number">
                  <Moved block={block} />
                </td>
              </>
            )}
            <td class="number quiet">
              <Age timestamp={block.timestamp} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

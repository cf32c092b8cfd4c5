import { network } from '../store/network.js';
import { chainOfHash, isZeroHash } from '../store/chains.js';
import { type BlockLite } from '../store/forms.js';
import { texts } from '../texts.js';
import { Card, Row } from './card.js';
import { BlockLink, ChainBadge, Link } from './links.js';
import { choice, chosen } from './loom/state.js';
import { count } from './numbers.js';
import { useConfirmations } from './use-confirmations.js';
import { Age } from './values.js';

/** Chips of the blocks that a block rests on. */
export const Dependencies = ({ hashes }: { readonly hashes: readonly string[] }) => {
  const { groups } = network.value;
  return (
    <ul class="chips">
      {hashes.map((hash) => (
        <li key={hash}>
          <Link to={`block/${hash}`} class="chip" title={hash}>
            <ChainBadge {...chainOfHash(hash, groups)} />
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** The three counts in one line. */
export const ConfirmedLine = ({ block }: { readonly block: BlockLite }) => {
  const counts = useConfirmations(block);
  if (counts === undefined) return <>…</>;
  const { inChain, inSender, inReceiver } = counts;
  return (
    <>
      {block.chainFrom === block.chainTo
        ? texts.inspector.countsInside(inChain)
        : texts.inspector.counts(inChain, String(inSender), String(inReceiver))}
    </>
  );
};

/** What the chosen block of the loom is. */
export const Inspector = () => {
  const block = chosen.value;
  if (block === undefined)
    return (
      <Card title={texts.inspector.none} class="inspector">
        <p class="quiet">{texts.inspector.noneHint}</p>
      </Card>
    );
  const deps = (choice.value?.restsOn ?? []).filter((hash) => !isZeroHash(hash));
  const title = <Link to={`block/${block.hash}`}>{texts.inspector.block(count(block.height))}</Link>;
  return (
    <Card title={title} aside={<ChainBadge {...block} />} class="inspector">
      <dl>
        <Row name={texts.inspector.hash}>
          <BlockLink id={block.hash} first={8} last={8} />
        </Row>
        <Row name={texts.inspector.age}>
          <Age timestamp={block.timestamp} />
        </Row>
        <Row name={texts.inspector.transactions}>
          <span class="number">{count(block.txNumber)}</span>
        </Row>
        <Row name={texts.inspector.confirmed}>
          <span class="number">
            <ConfirmedLine block={block} />
          </span>
        </Row>
      </dl>
      <p class="quiet">{texts.inspector.restsOn(2 * network.value.groups - 1)}</p>
      <Dependencies hashes={deps} />
    </Card>
  );
};

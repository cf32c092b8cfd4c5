import { useSignal } from '@preact/signals';
import { indexOfChain } from '../store/chains.js';
import { type BlockLite, type Chain } from '../store/forms.js';
import { network, now } from '../store/network.js';
import { texts } from '../texts.js';
import { Card } from './card.js';
import { Choices } from './choices.js';
import { LaneRow, percent } from './lane.js';
import { groupClass } from './links.js';
import { pillHalves, pillWidth } from './loom/geometry.js';
import { spans } from './loom/state.js';
import { count, span } from './numbers.js';

const [largePill, smallPill] = [17, 11];

interface PillProps {
  readonly block: BlockLite;
  readonly place: number;
  readonly height: number;
}

const Pill = ({ block, place, height }: PillProps) => {
  const width = pillWidth(block.txNumber, height);
  const [left, right] = pillHalves(width, height);
  const isArrival = network.value.arrived.has(block.hash);
  const ring = { x: -width / 2 - 3, y: -height / 2 - 3, width: width + 6, height: height + 6, rx: 9 };
  return (
    <svg x={percent(place)} y="50%">
      <g class={`pill ${isArrival ? 'arrival' : ''} ${groupClass(block.chainFrom)}`} data-to={`block/${block.hash}`}>
        <title>{texts.block.title(count(block.height))}</title>
        <rect class="ring" {...ring} />
        <path d={left} class={groupClass(block.chainFrom)} />
        <path d={right} class={groupClass(block.chainTo)} />
      </g>
    </svg>
  );
};

/** How far below its lane a block stands that left the main chain. */
const orphanDrop = 17;

const OrphanPill = ({ block, place }: Omit<PillProps, 'height'>) => {
  const width = pillWidth(block.txNumber, smallPill);
  return (
    <svg x={percent(place)} y="50%">
      <g class="orphan" transform={`translate(0 ${orphanDrop})`} data-to={`block/${block.hash}`}>
        <rect x={-width / 2} y={-smallPill / 2} width={width} height={smallPill} rx={smallPill * 0.38} />
        <text x={width / 2 + 5} y="4">
          {texts.loom.orphan}
        </text>
      </g>
    </svg>
  );
};

interface LaneProps {
  readonly chain: Chain;
  readonly windowMs: number;
  readonly isOwn: boolean;
}

const Lane = ({ chain, windowMs, isOwn }: LaneProps) => {
  const { blocks, orphans, heads, groups } = network.value;
  const index = indexOfChain(chain, groups);
  const placeOf = ({ timestamp }: BlockLite): number => 1 - Math.max(0, now.value - timestamp) / windowMs;
  const isShown = (block: BlockLite): boolean =>
    indexOfChain(block, groups) === index && block.height > 0 && placeOf(block) >= 0;
  const shown = blocks.filter(isShown);
  const head = heads[index];
  const label = texts.chain.lane(`${chain.chainFrom} → ${chain.chainTo}`, shown.length, span(windowMs));
  return (
    <LaneRow
      {...chain}
      hasSender
      label={label}
      class={isOwn ? 'own' : ''}
      end={head === undefined ? '' : count(head.height)}
    >
      {shown.toReversed().map((block) => (
        <Pill key={block.hash} block={block} place={placeOf(block)} height={isOwn ? largePill : smallPill} />
      ))}
      {isOwn &&
        orphans
          .filter(({ block }) => isShown(block))
          .map(({ block }) => <OrphanPill key={block.hash} block={block} place={placeOf(block)} />)}
    </LaneRow>
  );
};

/** Chains that have to do with one: those that take its blocks in; of a chain inside a group the others of the group. */
const siblings = ({ chainFrom: from, chainTo: to }: Chain, groups: number): Chain[] =>
  from === to
    ? Array.from({ length: groups }, (_, other) => ({ chainFrom: from, chainTo: other })).filter(
        ({ chainTo }) => chainTo !== to,
      )
    : [from, to].map((group) => ({ chainFrom: group, chainTo: group }));

const fewBlocks = 12;

/** The shortest time that shows the newest blocks of a chain. */
const spanOfNewest = (chain: Chain): number => {
  const { blocks, groups } = network.peek();
  const own = blocks.filter((block) => indexOfChain(block, groups) === indexOfChain(chain, groups) && block.height > 0);
  const oldest = own.slice(0, fewBlocks).at(-1);
  const age = oldest === undefined ? Infinity : now.peek() - oldest.timestamp;
  return spans.value.find((ms) => ms > age) ?? spans.value.at(-1)!;
};

/** The blocks of a chain over time, and below them those of its siblings. */
export const ChainLanesCard = ({ chain }: { readonly chain: Chain }) => {
  const values = spans.value.map((ms) => [ms, span(ms)] as const);
  const windowMs = useSignal(spanOfNewest(chain));
  const words = texts.chain;
  const hint = chain.chainFrom === chain.chainTo ? words.ownGroup : words.takeIn;
  return (
    <Card
      title={words.lanes}
      aside={
        <Choices
          label={texts.loom.window}
          values={values}
          chosen={windowMs.value}
          onChoose={(ms) => void (windowMs.value = ms)}
        />
      }
      class="chain-lanes"
    >
      <ul class={`lane-band ${groupClass(chain.chainFrom)}`}>
        <Lane chain={chain} windowMs={windowMs.value} isOwn />
      </ul>
      <p class="quiet">{hint}</p>
      <ul>
        {siblings(chain, network.value.groups).map((sibling) => (
          <Lane
            key={`${sibling.chainFrom} ${sibling.chainTo}`}
            chain={sibling}
            windowMs={windowMs.value}
            isOwn={false}
          />
        ))}
      </ul>
      <p class="lane-times">
        <span>{texts.loom.ago(span(windowMs.value))}</span>
        <span>{texts.loom.now}</span>
      </p>
    </Card>
  );
};

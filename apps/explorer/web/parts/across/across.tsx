import { type TakenIn } from '../../store/confirmations.js';
import { type BlockLite } from '../../store/forms.js';
import { locksAt, spendableSince } from '../../store/locks.js';
import { network, now } from '../../store/network.js';
import { type AnyTransaction } from '../../store/payments.js';
import { texts } from '../../texts.js';
import { Card } from '../card.js';
import { groupClass } from '../links.js';
import { pillHalves, pillWidth } from '../loom/geometry.js';
import { clock, count, exactSpan, utc } from '../numbers.js';
import { marksAfter, placeOf } from '../time-axis.js';
import { useWidth } from '../use-width.js';
import {
  type AcrossShape,
  acrossShape,
  type KnownSteps,
  type Lane,
  pillHeight,
  type Step,
  windowOf,
} from './geometry.js';

const Pill = ({
  block,
  x,
  y,
  kind,
}: {
  readonly block: BlockLite;
  readonly x: number;
  readonly y: number;
  readonly kind: string;
}) => {
  const width = pillWidth(block.txNumber, pillHeight);
  const [left, right] = pillHalves(width, pillHeight);
  const ring = { x: -width / 2 - 4, y: -pillHeight / 2 - 4, width: width + 8, height: pillHeight + 8, rx: 9.5 };
  return (
    <g class={`pill ${kind}`} transform={`translate(${x.toFixed(2)} ${y})`}>
      <title>{texts.block.title(count(block.height))}</title>
      <rect class="ring" {...ring} />
      <path d={left} class={groupClass(block.chainFrom)} />
      <path d={right} class={groupClass(block.chainTo)} />
    </g>
  );
};

const LaneLine = ({ lane, shape }: { readonly lane: Lane; readonly shape: AcrossShape }) => {
  const { chainFrom: from, chainTo: to, y } = lane;
  return (
    <g class={`lane ${groupClass(from)}`}>
      <text class="lane-name" x="0" y={y}>
        {from} <tspan class="arrow">→</tspan> <tspan class={`to-group ${groupClass(to)}`}>{to}</tspan>
      </text>
      <line x1={shape.axis.left} x2={shape.axis.right} y1={y} y2={y} />
      {lane.others.map(({ block, x }) => (
        <Pill key={block.hash} block={block} x={x} y={y} kind="other" />
      ))}
    </g>
  );
};

const labelAbove = -24;
const labelBelow = 32;
const lineHeight = 17;

/** Half of what a label may need: so far from an edge it stands in the middle below its block. */
const halfLabel = 96;

const anchorOf = (x: number, { axis }: AcrossShape): 'start' | 'middle' | 'end' =>
  x < axis.left + halfLabel ? 'start' : x > axis.right - halfLabel ? 'end' : 'middle';

interface StepProps {
  readonly step: Step;
  readonly mined: BlockLite;
  readonly shape: AcrossShape;
  readonly hint: string | undefined;
  readonly isLocked: boolean;
}

const StepMark = ({ step, mined, shape, hint, isLocked }: StepProps) => {
  const { name, block, x, y } = step;
  const { mined: minedWord, carried, spendable, arrived } = texts.across;
  const after = `+ ${exactSpan(block.timestamp - mined.timestamp)}`;
  const group = block.chainFrom;
  const of = { mined: () => minedWord, carried, spendable: isLocked ? arrived : spendable };
  const words = name === 'mined' ? minedWord : `${after} ${of[name](group)}`;
  const anchor = anchorOf(x, shape);
  const textX = anchor === 'middle' ? x : anchor === 'start' ? x - 18 : x + 18;
  const textY = y + (name === 'carried' ? labelAbove : labelBelow);
  return (
    <a class={`step ${groupClass(group)}`} href={`block/${block.hash}`} data-page={`block/${block.hash}`}>
      <rect class="hit" x={x - 22} y={y - 15} width="44" height="30" rx="9" />
      <Pill block={block} x={x} y={y} kind={name === 'mined' ? 'chosen' : ''} />
      <text class="step-name" x={textX} y={textY} text-anchor={anchor}>
        {words}
      </text>
      {hint !== undefined && (
        <text x={textX} y={textY + lineHeight} text-anchor={anchor}>
          {hint}
        </text>
      )}
    </a>
  );
};

const markPixels = 84;

const Marks = ({ shape, origin }: { readonly shape: AcrossShape; readonly origin: number }) => (
  <>
    {marksAfter(shape.axis, origin, markPixels).map(({ x, afterMs }) => (
      <text key={afterMs} class="time-mark" x={x} y={shape.height - 8} text-anchor="middle">
        {afterMs === 0 ? clock(origin) : `+ ${exactSpan(afterMs)}`}
      </text>
    ))}
  </>
);

interface WayProps {
  readonly transaction: AnyTransaction;
  readonly steps: KnownSteps;
  /** How many steps there are. */
  readonly all: number;
  /** Of the transaction in its block. */
  readonly place: number | undefined;
}

const fewBlocks = 4;

const timeOf = ({ steps, all }: WayProps): { readonly start: number; readonly end: number } => {
  const { stats, blockTargetMs } = network.value;
  const first = steps[0]?.block.timestamp;
  if (first === undefined) {
    const blockMs = stats?.averageBlockTimeMs || (blockTargetMs ?? 64_000);
    return windowOf(now.value - fewBlocks * blockMs, now.value);
  }
  return windowOf(first, steps.length < all ? Math.max(now.value, first) : steps.at(-1)!.block.timestamp);
};

const Picture = ({ width, ...way }: WayProps & { readonly width: number }) => {
  const { transaction, steps, all, place } = way;
  const shape = acrossShape(width, transaction, steps, network.value.blocks, timeOf(way));
  const mined = steps[0]?.block;
  const { axis, lanes, threads, height } = shape;
  const nowX = placeOf(axis, now.value);
  const isOpen = steps.length < all;
  return (
    <svg width={width} height={height} role="group" aria-label={sentenceOf(way)}>
      {lanes.map((lane) => (
        <LaneLine key={lane.y} lane={lane} shape={shape} />
      ))}
      {isOpen && (
        <g class="now">
          <line x1={nowX} x2={nowX} y1={lanes[0]!.y - 26} y2={lanes.at(-1)!.y + 26} />
          <text x={nowX} y={height - 8}>
            {texts.loom.now}
          </text>
        </g>
      )}
      <g class="threads">
        {threads.map((d, i) => (
          <path key={d} d={d} class={groupClass(steps[i + 1]!.block.chainFrom)} />
        ))}
      </g>
      {mined !== undefined && !isOpen && <Marks shape={shape} origin={mined.timestamp} />}
      {mined !== undefined &&
        shape.steps.map((step) => (
          <StepMark
            key={step.name}
            step={step}
            mined={mined}
            shape={shape}
            hint={step.name === 'mined' && place !== undefined ? texts.transaction.place(place) : undefined}
            isLocked={locksAt(transaction, step.block.timestamp) !== undefined}
          />
        ))}
    </svg>
  );
};

const dayMs = 86_400_000;

const timeText = (timestamp: number): string => (now.value - timestamp < dayMs ? clock : utc)(timestamp);

/** Where the transaction is on its way, in words. */
const wayText = ({ transaction, steps, all }: WayProps): string => {
  const { chainFrom: from, chainTo: to } = transaction;
  const words = texts.across;
  const last = steps.at(-1)?.block;
  if (last === undefined) return words.waits(from, to);
  if (steps.length < all) return steps.length === 1 ? words.notCarried(from, to) : words.notSpendable(from, to);
  const locks = locksAt(transaction, now.value);
  if (locks !== undefined && locks.locked === locks.of) return words.arrivedAt(to, timeText(last.timestamp));
  // Those that are not locked can be spent since they are there.
  const since = locks === undefined ? spendableSince(transaction, last.timestamp) : last.timestamp;
  return all === 1 && since === last.timestamp ? words.inside(to, timeText(since)) : words.reached(to, timeText(since));
};

/** The same, and until when outputs are locked. */
const sentenceOf = (way: WayProps): string => {
  const locks = locksAt(way.transaction, now.value);
  return locks === undefined ? wayText(way) : `${wayText(way)} ${texts.across.locks(locks, utc)}`;
};

const stepsOf = (block: BlockLite | undefined, takenIn: TakenIn | undefined): KnownSteps => {
  if (block === undefined) return [];
  const mined = { name: 'mined', block } as const;
  if (block.chainFrom === block.chainTo || takenIn?.bySender === undefined) return [mined];
  const carried = { name: 'carried', block: takenIn.bySender } as const;
  if (takenIn.byReceiver === undefined) return [mined, carried];
  return [mined, carried, { name: 'spendable', block: takenIn.byReceiver }];
};

interface AcrossProps {
  readonly transaction: AnyTransaction;
  /** Undefined while the transaction waits. */
  readonly block: BlockLite | undefined;
  /** Undefined while it is not known. */
  readonly takenIn: TakenIn | undefined;
  /** Of the transaction in its block, from 1. */
  readonly place: number | undefined;
}

const WayCard = ({ way, isLooking }: { readonly way: WayProps; readonly isLooking: boolean }) => {
  const { element, width } = useWidth();
  const { transaction, steps } = way;
  const words = texts.across;
  const arrival = steps[2]?.block.timestamp;
  const time = arrival === undefined ? undefined : exactSpan(arrival - steps[0]!.block.timestamp);
  const isLocked = arrival !== undefined && locksAt(transaction, arrival) !== undefined;
  return (
    <Card
      title={words.title}
      aside={time !== undefined && <span class="quiet">{(isLocked ? words.timeOfArrival : words.time)(time)}</span>}
      class="across"
    >
      <p class="sentence">{isLooking ? words.looking : sentenceOf(way)}</p>
      <div ref={element}>{width > 0 && <Picture width={width} {...way} />}</div>
    </Card>
  );
};

/** The way of a transaction from the group that sends to the group that receives; inside a group a sentence. */
export const AcrossCard = ({ transaction, block, takenIn, place }: AcrossProps) => {
  const isInside = transaction.chainFrom === transaction.chainTo;
  const way = { transaction, steps: stepsOf(block, takenIn), all: isInside ? 1 : 3, place };
  // Its block is the whole way: there is nothing to draw.
  if (isInside) return <p class="sentence across-inside">{sentenceOf(way)}</p>;
  return <WayCard way={way} isLooking={block !== undefined && takenIn === undefined} />;
};

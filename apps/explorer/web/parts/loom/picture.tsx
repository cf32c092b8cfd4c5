import { type ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { chainOfIndex, indexOfChain } from '../../store/chains.js';
import { isMiningOff } from '../../store/development.js';
import { type BlockLite, type Sync } from '../../store/forms.js';
import { answerOf } from '../../store/loaded.js';
import { calmNetwork, network, now, serverNow } from '../../store/network.js';
import { type Orphan, stalledChains } from '../../store/network-state.js';
import { silentGroups, syncPath } from '../../store/sync.js';
import { texts } from '../../texts.js';
import { groupClass } from '../links.js';
import { count, span } from '../numbers.js';
import { blockAt } from './crowd.js';
import { Crowd } from './crowd-canvas.js';
import {
  type Loom,
  narrowBelow,
  pillHalves,
  pillWidth,
  placeOfTime,
  type Point,
  shiftAt,
  threadPath,
  ticksOf,
  type TimeScale,
  timeScale,
} from './geometry.js';
import { type Pile, pilesOf } from './piles.js';
import { useSliding } from './sliding.js';
import { choice, choose, isCrowded, pausedAt, shownBlocks, windowMs } from './state.js';

interface InScale {
  readonly loom: Loom;
  readonly scale: TimeScale;
}

const pointOf = ({ loom, scale }: InScale, block: BlockLite): Point => ({
  x: placeOfTime(scale, block.timestamp),
  y: loom.lanes[indexOfChain(block, loom.groups)]!,
});

const clockPath = 'M5 .8a4.2 4.2 0 1 0 0 8.4A4.2 4.2 0 0 0 5 .8ZM5 2.6V5l1.7 1.2';

const Lane = ({
  loom,
  index,
  stalledMs,
}: {
  readonly loom: Loom;
  readonly index: number;
  readonly stalledMs?: number;
}) => {
  const { chainFrom, chainTo } = chainOfIndex(index, loom.groups);
  const y = loom.lanes[index]!;
  return (
    <g class={`lane ${groupClass(chainFrom)} ${stalledMs === undefined ? '' : 'stalled'}`}>
      <text x={loom.left - 26} y={y} class={`lane-name ${groupClass(chainTo)}`}>
        →{chainTo}
      </text>
      {stalledMs !== undefined && (
        <path
          class="clock"
          transform={`translate(${loom.left - (loom.width < narrowBelow ? 9 : 38)} ${y - 5})`}
          d={clockPath}
        >
          <title>{texts.loom.stalled(span(stalledMs))}</title>
        </path>
      )}
      <line x1={loom.left} x2={loom.now} y1={y} y2={y} />
    </g>
  );
};

/** What does not move: bands, lanes, names, marks of the time. */
const Ground = ({ loom }: { readonly loom: Loom }) => {
  const state = calmNetwork.value;
  const stalled = isMiningOff() ? new Set<number>() : stalledChains(state, now.value);
  const sync = answerOf<Sync>(syncPath).value;
  const silent = sync === undefined ? [] : silentGroups(sync);
  const isNarrow = loom.width < narrowBelow;
  return (
    <>
      {loom.bands.map(({ group, y, height }) => (
        <g key={group} class={`band ${groupClass(group)} ${silent.includes(group) ? 'silent' : ''}`}>
          <rect x={isNarrow ? 18 : 36} y={y} width={loom.width - (isNarrow ? 18 : 36)} height={height} rx="10" />
          {!isNarrow && (
            <text class="from" x="14" y={y + height / 2 - 11}>
              {texts.loom.from}
            </text>
          )}
          <text class="group-name" x={isNarrow ? 7 : 14} y={y + height / 2 + (isNarrow ? 0 : 8)}>
            {group}
          </text>
        </g>
      ))}
      {ticksOf(loom, windowMs.value).map(({ x, agoMs }) => (
        <g key={agoMs} class="tick">
          <line x1={x} x2={x} y1="0" y2={loom.height} />
          <text x={x} y={loom.height + 18}>
            {texts.loom.ago(span(agoMs))}
          </text>
        </g>
      ))}
      {loom.lanes.map((_, index) => {
        const head = state.heads[index];
        const age = stalled.has(index) && head ? now.value - head.timestamp : undefined;
        return <Lane key={index} loom={loom} index={index} stalledMs={age} />;
      })}
    </>
  );
};

const shownDots = 5;
const dotsOnPhone = 3;

/** At the right of now: what waits, and the heights. */
const Waiting = ({ loom }: { readonly loom: Loom }) => {
  const { pending, heads, groups } = network.value;
  const counts = loom.lanes.map(() => 0);
  for (const entry of pending.values()) counts[indexOfChain(entry, groups)]! += 1;
  const isNarrow = loom.width < narrowBelow;
  const most = isNarrow ? dotsOnPhone : shownDots;
  const step = isNarrow ? 6 : 8;
  return (
    <g class="waiting">
      {loom.lanes.map((y, index) => (
        <g key={index} class={groupClass(chainOfIndex(index, groups).chainTo)}>
          {Array.from({ length: Math.min(most, counts[index]!) }, (_, i) => (
            <circle key={i} cx={loom.now + 16 + i * step} cy={y} r={isNarrow ? 2 : 2.6} />
          ))}
          {counts[index]! > most && (
            <text x={loom.now + 12 + most * step} y={y}>
              +{counts[index]! - most}
            </text>
          )}
          {!isNarrow && heads[index] && (
            <text class="lane-height" x={loom.width - 10} y={y}>
              {count(heads[index].height)}
            </text>
          )}
        </g>
      ))}
    </g>
  );
};

interface PillProps {
  readonly loom: Loom;
  readonly pile: Pile;
  readonly kind: string;
}

/** Sizes of the number on a bar, in pixels: it is read on a phone, too. */
const countShape = (loom: Loom, blocks: number) => {
  const font = Math.max(9, loom.pillHeight * 0.65);
  return { font, width: String(blocks).length * font * 0.62 + 4, height: Math.max(loom.pillHeight * 0.7, font + 1) };
};
/** What is seen of the bar at least, at each side of its number. */
const besideCount = 3;

/** How many blocks a bar stands for. */
const BlockCount = ({ loom, blocks }: { readonly loom: Loom; readonly blocks: number }) => {
  const { font, width, height } = countShape(loom, blocks);
  return (
    <g class="block-count">
      <rect x={-width / 2} y={-height / 2} width={width} height={height} rx={height * 0.3} />
      <text y="0.5" style={{ fontSize: `${font}px` }}>
        {blocks}
      </text>
    </g>
  );
};

/** A block, or a bar that stands for several: it is pointed at as the newest of them. */
const Pill = ({ loom, pile: { blocks, left, right }, kind }: PillProps) => {
  const newest = blocks.at(-1)!;
  const least = blocks.length > 1 ? countShape(loom, blocks.length).width + 2 * besideCount : 0;
  const width = Math.max(right - left, least);
  const halves = pillHalves(width, loom.pillHeight);
  const isArrival = network.peek().arrived.has(newest.hash);
  const ring = { x: -width / 2 - 3, y: -loom.pillHeight / 2 - 3, width: width + 6, height: loom.pillHeight + 6, rx: 9 };
  const y = loom.lanes[indexOfChain(newest, loom.groups)]!;
  return (
    <g
      class={`pill ${kind} ${isArrival ? 'arrival' : ''} ${groupClass(newest.chainFrom)}`}
      transform={`translate(${((left + right) / 2).toFixed(2)} ${y})`}
      data-block={newest.hash}
    >
      <rect
        class="hit"
        x={-Math.max(width, 14) / 2}
        y={-loom.laneHeight / 2}
        width={Math.max(width, 14)}
        height={loom.laneHeight}
      />
      <rect class="ring" {...ring} />
      <path d={halves[0]} class={groupClass(newest.chainFrom)} />
      <path d={halves[1]} class={groupClass(newest.chainTo)} />
      {blocks.length > 1 && <BlockCount loom={loom} blocks={blocks.length} />}
    </g>
  );
};

/** A block that left its chain: half a lane lower, as an outline. */
const OrphanPill = ({ loom, scale, orphan }: InScale & { readonly orphan: Orphan }) => {
  const { x, y } = pointOf({ loom, scale }, orphan.block);
  const width = pillWidth(orphan.block.txNumber, loom.pillHeight);
  const height = loom.pillHeight * 0.7;
  return (
    <g
      class="orphan"
      transform={`translate(${x.toFixed(2)} ${y + loom.laneHeight / 2})`}
      data-block={orphan.block.hash}
    >
      <g class="drop" style={{ '--drop': `${-loom.laneHeight / 2}px` }}>
        <rect x={-width / 2} y={-height / 2} width={width} height={height} rx={height * 0.38} />
        <text x={width / 2 + 5}>{texts.loom.orphan}</text>
      </g>
    </g>
  );
};

const Threads = ({ loom, scale }: InScale) => {
  const current = choice.value;
  if (current === undefined) return null;
  const byHash = new Map(network.value.blocks.map((block) => [block.hash, block]));
  const { block, restsOn, carriedBy, takenIn } = current;
  // Far outside, a thread only has to leave the picture: genesis blocks are years away.
  const farthest = -loom.width - shiftAt(loom, scale, pausedAt.value ?? now.value);
  const endOf = (of: BlockLite, side: 1 | -1): Point => {
    const { x, y } = pointOf({ loom, scale }, of);
    return { x: Math.max(farthest, x) + side * (pillWidth(of.txNumber, loom.pillHeight) / 2 + 2), y };
  };
  const thread = (later: BlockLite, earlier: BlockLite): string => threadPath(endOf(later, -1), endOf(earlier, 1));
  const dotted = [...carriedBy.map((hash) => [block.hash, hash] as const), ...(takenIn ? [takenIn] : [])];
  return (
    <g class="threads">
      {restsOn.map((hash) => {
        const earlier = byHash.get(hash);
        return earlier && <path key={hash} class={groupClass(earlier.chainFrom)} d={thread(block, earlier)} />;
      })}
      {dotted.map(([first, second]) => {
        const [earlier, later] = [byHash.get(first), byHash.get(second)];
        return earlier && later && <path key={first + second} class="dotted" d={thread(later, earlier)} />;
      })}
    </g>
  );
};

/** A block by itself, although it may stand in a bar. */
const alone = (block: BlockLite, loom: Loom, scale: TimeScale): Pile => pilesOf([block], loom, scale)[0]!;

/** Blocks with the one that is chosen: it and those linked with it stand before the bars, or the canvas, that they are in. */
const Moving = ({ loom, scale }: InScale) => {
  const current = choice.value;
  const { orphans } = network.value;
  const blocks = shownBlocks.value;
  const isCrowd = isCrowded.value;
  const piles = useMemo(() => (isCrowd ? [] : pilesOf(blocks, loom, scale)), [blocks, loom, scale, isCrowd]);
  const linked = new Set(current ? [...current.restsOn, ...current.carriedBy, ...(current.takenIn ?? [])] : []);
  const kindOf = ({ hash }: BlockLite): string => {
    if (hash === current?.block.hash) return 'chosen';
    if (current?.restsOn.includes(hash) === true) return 'linked';
    return current === undefined || linked.has(hash) ? '' : 'faded';
  };
  const bars = piles.filter((pile) => pile.blocks.length > 1);
  const front = (isCrowd ? blocks : bars.flatMap((bar) => bar.blocks))
    .filter(({ hash }) => hash === current?.block.hash || linked.has(hash))
    .map((block) => alone(block, loom, scale));
  const single = [...piles.filter((pile) => pile.blocks.length === 1), ...front];
  const start = (pausedAt.value ?? now.value) - windowMs.value;
  return (
    <>
      {bars.map((pile) => (
        <Pill key={`bar ${pile.blocks[0]!.hash}`} loom={loom} pile={pile} kind={current ? 'faded' : ''} />
      ))}
      {single.map((pile) => (
        <Pill key={pile.blocks[0]!.hash} loom={loom} pile={pile} kind={kindOf(pile.blocks[0]!)} />
      ))}
      <Threads loom={loom} scale={scale} />
      {orphans
        .filter(({ block }) => block.timestamp > start)
        .map((orphan) => (
          <OrphanPill key={orphan.block.hash} loom={loom} scale={scale} orphan={orphan} />
        ))}
    </>
  );
};

/** Shifts its content with the clock: nothing of it is drawn again for that. */
const Sliding = ({ loom, scale, children }: InScale & { readonly children: ComponentChildren }) => {
  const moving = useRef<SVGGElement>(null);
  useSliding(loom, scale, (shift) => moving.current?.setAttribute('transform', `translate(${shift.toFixed(2)} 0)`));
  return <g ref={moving}>{children}</g>;
};

/** Below the lanes. */
export const spaceForTimes = 26;
/** A block that was made just now stands half behind the line of now. */
const spaceAfterNow = 24;

const onPoint = ({ target }: Event): void => {
  const hash = target instanceof Element ? target.closest<SVGElement>('[data-block]')?.dataset['block'] : undefined;
  if (hash !== undefined) choose(hash);
};

/** Above and below the lanes, for rings and orphans. */
const overhang = 10;

/** The picture. A block is chosen by pointing at it. */
export const Picture = ({ loom }: { readonly loom: Loom }) => {
  const scale = useMemo(() => timeScale(loom, windowMs.value, serverNow()), [loom, windowMs.value]);
  const picture = useRef<SVGSVGElement>(null);
  const isEmpty = shownBlocks.value.length === 0;
  const label = texts.loom.picture(loom.lanes.length, shownBlocks.value.length);
  const size = { width: loom.width, height: loom.height + spaceForTimes };
  const inside = {
    x: loom.left,
    y: -overhang,
    width: loom.now - loom.left + spaceAfterNow,
    height: loom.height + 2 * overhang,
  };
  /** Of a crowd the blocks are no elements. */
  const onPlace = ({ clientX, clientY }: MouseEvent): void => {
    const { left, top } = picture.current!.getBoundingClientRect();
    const x = clientX - left - shiftAt(loom, scale, pausedAt.value ?? serverNow());
    const block = blockAt(shownBlocks.value, loom, scale, { x, y: clientY - top });
    if (block !== undefined) choose(block.hash);
  };
  return (
    <div class="picture-parts">
      <svg class="picture ground" {...size} aria-hidden="true">
        <Ground loom={loom} />
      </svg>
      {isCrowded.value && <Crowd loom={loom} scale={scale} place={inside} />}
      <svg class="picture" {...size} role="img" aria-label={label} ref={picture}>
        {isCrowded.value && <rect class="hit" {...inside} onPointerMove={onPlace} onClick={onPlace} />}
        <svg {...inside} onPointerOver={onPoint} onClick={onPoint}>
          <g transform={`translate(${-inside.x} ${-inside.y})`}>
            <Sliding loom={loom} scale={scale}>
              <Moving loom={loom} scale={scale} />
            </Sliding>
          </g>
        </svg>
        <g class="now">
          <line x1={loom.now} x2={loom.now} y1="-4" y2={loom.height + 2} />
          <text x={loom.now} y={loom.height + 18}>
            {texts.loom.now}
          </text>
        </g>
        <Waiting loom={loom} />
        {isEmpty && (
          <text class="no-blocks" x={(loom.left + loom.now) / 2} y={loom.height / 2}>
            {texts.loom.noBlocks}
          </text>
        )}
      </svg>
    </div>
  );
};

/** The flow of a transaction as numbers and paths: inputs at the left, a bar in the middle, outputs at the right. Pixels. */

/** The thinnest thread. */
export const thinnest = 3;

/** Below this width amounts stand above their threads, and not beside them. */
export const narrowBelow = 620;

/** From so many threads on at a side each has a label of one line. */
export const manyThreads = 7;

interface Measures {
  /** From the edge to the end of a thread: room for its label and its arrow. */
  readonly margin: number;
  /** Height that the label of a thread needs. */
  readonly slot: number;
  /** Of that, above the thread. */
  readonly above: number;
  /** From the end on the thread runs straight: below its label. */
  readonly straight: number;
}

const wide: Measures = { margin: 204, slot: 44, above: 0, straight: 0 };
const wideMany: Measures = { ...wide, margin: 264, slot: 25 };
const narrow: Measures = { margin: 15, slot: 30, above: 22, straight: 84 };

/** Radius of the mark of a group, which on a phone lies on its thread. */
export const groupRadius = 9;

/** Height of all threads of a side at the bar. */
const [wideRoom, narrowRoom] = [150, 110];

/** Between two threads at their ends. */
const gap = 10;
/** For the label of the bar: above it, on a phone below all threads. */
const [headroom, footroom] = [26, 28];

/** A thread between its end and the bar. */
export interface Thread {
  /** Its middle at the outer end. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Its shape. */
  readonly area: string;
  /** The line in its middle. */
  readonly line: string;
}

export interface FlowShape {
  readonly width: number;
  readonly height: number;
  readonly isNarrow: boolean;
  readonly bar: { readonly x: number; readonly top: number; readonly bottom: number };
  /** Where the label of the bar stands: the line below its text. */
  readonly totalY: number;
  readonly inputs: ThreadsOfSide;
  readonly outputs: ThreadsOfSide;
}

export interface ThreadsOfSide {
  /** Whether labels have one line. */
  readonly isDense: boolean;
  readonly threads: readonly Thread[];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const fixed = (value: number): string => String(Math.round(value * 100) / 100);
const path = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => (typeof part === 'number' ? fixed(part) : part)).join(' ');

/** Steps in which a share is counted. */
const shares = 1_000_000_000n;

/**
 * Widths in proportion to amounts, but none below `thinnest`; together `room`.
 * @param room at least `thinnest` for each
 */
export const widthsOf = (amounts: readonly bigint[], room: number): number[] => {
  const thin = new Set<number>();
  for (;;) {
    const rest = amounts.reduce((total, amount, i) => (thin.has(i) ? total : total + amount), 0n);
    const space = room - thinnest * thin.size;
    const widths = amounts.map((amount, i) => {
      if (thin.has(i)) return thinnest;
      return rest === 0n
        ? space / (amounts.length - thin.size)
        : (Number((amount * shares) / rest) / Number(shares)) * space;
    });
    const thinner = widths.flatMap((width, i) => (width < thinnest ? [i] : []));
    if (thinner.length === 0) return widths;
    for (const i of thinner) thin.add(i);
  }
};

/** Heights that threads take at their ends. */
const slotsOf = (widths: readonly number[], { slot, above }: Measures): number[] =>
  widths.map((width) => Math.max(slot, width + above));

const heightOf = (slots: readonly number[]): number => sum(slots) + gap * Math.max(0, slots.length - 1);

interface Ends {
  /** Of the outer end, and where the thread begins to bend. */
  readonly end: number;
  readonly bendStart: number;
  readonly bar: number;
}

const threadOf = ({ end, bendStart, bar }: Ends, y: number, barY: number, width: number): Thread => {
  const half = width / 2;
  const bend = (bendStart + bar) / 2;
  const curve = (fromY: number, toX: number, toY: number): string => path('C', bend, fromY, bend, toY, toX, toY);
  const toBar = (away: number): string => `${path('H', bendStart)} ${curve(y + away, bar, barY + away)}`;
  const back = `${path('V', barY + half)} ${curve(barY + half, bendStart, y + half)} ${path('H', end)} Z`;
  return {
    x: end,
    y,
    width,
    area: `${path('M', end, y - half)} ${toBar(-half)} ${back}`,
    line: `${path('M', end, y)} ${toBar(0)}`,
  };
};

interface Side {
  readonly measures: Measures;
  readonly isDense: boolean;
  readonly widths: readonly number[];
  readonly slots: readonly number[];
}

const sideOf = (amounts: readonly bigint[], isNarrow: boolean, room: number): Side => {
  const isDense = !isNarrow && amounts.length >= manyThreads;
  const measures = isNarrow ? narrow : isDense ? wideMany : wide;
  const widths = widthsOf(amounts, room);
  return { measures, isDense, widths, slots: slotsOf(widths, measures) };
};

const threadsOf = (side: Side, ends: Ends, barTop: number, bottom: number): ThreadsOfSide => {
  const { widths, slots, measures, isDense } = side;
  const top = headroom + (bottom - headroom - heightOf(slots)) / 2;
  const threads = widths.map((width, i) => {
    const slotTop = top + heightOf(slots.slice(0, i)) + (i === 0 ? 0 : gap);
    // Below its label, or in the middle of the place beside it.
    const y = slotTop + measures.above + (slots[i]! - measures.above) / 2;
    return threadOf(ends, y, barTop + sum(widths.slice(0, i)) + width / 2, width);
  });
  return { isDense, threads };
};

/**
 * @param inputs amounts of the threads at the left, in their order
 * @param outputs those at the right; in all as much, so that the threads of both sides meet at the bar
 */
export const flowShape = (width: number, inputs: readonly bigint[], outputs: readonly bigint[]): FlowShape => {
  const isNarrow = width < narrowBelow;
  const room = isNarrow ? narrowRoom : wideRoom;
  const [left, right] = [sideOf(inputs, isNarrow, room), sideOf(outputs, isNarrow, room)];
  const bottom = headroom + Math.max(room + 12, heightOf(left.slots), heightOf(right.slots));
  const top = headroom + (bottom - headroom - room) / 2;
  const bar = width / 2;
  const endsOf = ({ measures: { margin, straight } }: Side): Ends => {
    const bendStart = margin + Math.min(straight, (bar - margin) / 2);
    return { end: margin, bendStart, bar };
  };
  const mirrored = ({ end, bendStart }: Ends): Ends => ({ end: width - end, bendStart: width - bendStart, bar });
  return {
    width,
    height: isNarrow ? bottom + footroom : bottom,
    isNarrow,
    bar: { x: bar, top, bottom: top + room },
    totalY: isNarrow ? bottom + footroom - 8 : top - 14,
    inputs: threadsOf(left, endsOf(left), top, bottom),
    outputs: threadsOf(right, mirrored(endsOf(right)), top, bottom),
  };
};

/** Half the height of the mark at the end of a thread: also that of a thin one is seen. */
const halfOf = ({ width }: Thread): number => Math.max(width / 2, 5);

/** At the end of a thread whose output is spent: it goes on. */
export const spentArrow = (thread: Thread): string => {
  const half = halfOf(thread);
  return path('M', thread.x + 3, thread.y - half, 'h', 3, 'l', 7, half, 'l', -7, half, 'h', -3, 'Z');
};

/** Before a thread: it comes from somewhere. */
export const originArrow = (thread: Thread): string => {
  const half = halfOf(thread);
  return path('M', thread.x - 3, thread.y - half, 'h', -10, 'l', 6, half, 'l', -6, half, 'h', 10, 'Z');
};

/** At the end of a thread whose output nobody has spent. */
export const bluntEnd = (thread: Thread): string => {
  const half = halfOf(thread);
  return path('M', thread.x + 1.5, thread.y - half, 'V', thread.y + half);
};

/** A block between those that it rests on and those that rest on it, as places and curves. Lengths in pixels. */

export interface Fan {
  readonly height: number;
  /** Width of the list at each side. */
  readonly listWidth: number;
  readonly rowHeight: number;
  /** The block. */
  readonly middle: { readonly x: number; readonly y: number };
  /** Top of the first row of each list. */
  readonly leftTop: number;
  readonly rightTop: number;
  /** From the middle to each row, by side. */
  readonly left: readonly string[];
  readonly right: readonly string[];
}

interface Shape {
  readonly list: number;
  readonly row: number;
  /** Half of the block in the middle, with its ring. */
  readonly block: number;
  /** The middle of the mark of a chain below the middle of its row. */
  readonly mark: number;
}

const wide: Shape = { list: 330, row: 36, block: 30, mark: 0 };
const medium: Shape = { list: 214, row: 36, block: 30, mark: 0 };
const narrow: Shape = { list: 112, row: 50, block: 20, mark: -10 };

/** Least width at which a row is one line, and at which it has the hash too. */
export const oneLineFrom = 620;
export const hashFrom = 880;

const shapeOf = (width: number): Shape => (width >= hashFrom ? wide : width >= oneLineFrom ? medium : narrow);

/** Between the end of a curve and the mark of its row. */
const gap = 6;

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Lies flat at both ends. */
const curve = (fromX: number, fromY: number, toX: number, toY: number): string => {
  const bend = rounded((fromX + toX) / 2);
  return `M ${rounded(fromX)} ${fromY} C ${bend} ${fromY} ${bend} ${toY} ${rounded(toX)} ${toY}`;
};

/** @param left how many rows there are at the left. @param right and at the right */
export const fanOf = (width: number, left: number, right: number): Fan => {
  const { list, row, block, mark } = shapeOf(width);
  // On the narrowest screens the curves keep some room.
  const listWidth = Math.max(0, Math.min(list, (width - 2 * block) / 2 - 2 * gap));
  const height = Math.max(left, right, 1) * row;
  const middle = { x: rounded(width / 2), y: height / 2 };
  const topOf = (rows: number): number => (height - rows * row) / 2;
  const curves = (rows: number, side: 1 | -1): string[] =>
    Array.from({ length: rows }, (_, i) => {
      const y = topOf(rows) + (i + 0.5) * row + mark;
      const end = side === -1 ? listWidth + gap : width - listWidth - gap;
      return curve(middle.x + side * block, middle.y, end, y);
    });
  return {
    height,
    listWidth,
    rowHeight: row,
    middle,
    leftTop: topOf(left),
    rightTop: topOf(right),
    left: curves(left, -1),
    right: curves(right, 1),
  };
};

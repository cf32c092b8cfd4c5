/** A part of a list (protocol 08 §5.2). */
export interface Page {
  /** 0 to 100. */
  readonly limit: number;
  /** Rows before the part; 0 with a cursor. */
  readonly offset: number;
  /** The place of the last row of the part before, in the order of the list. */
  readonly after?: Place | undefined;
}

/** The place of a row in the order of its list. */
export type Place = readonly bigint[];

/** A place as an opaque text: `cursor` of a request. */
export const cursorOf = (place: Place): string => Buffer.from(place.join('.')).toString('base64url');

export interface Part<Item> {
  readonly items: readonly Item[];
  /** Of the last item; undefined at the end of the list. */
  readonly next?: Place | undefined;
}

/** The largest value of a column `bigint`: before every row of a list that goes down. */
export const first = 2n ** 63n - 1n;

/** The values of LIMIT and OFFSET: one row more than the part shows whether the list goes on. */
export const bounds = ({ limit, offset }: Page): readonly [number, number] => [limit === 0 ? 0 : limit + 1, offset];

/** The rows of the part, and the place from which the list goes on. */
export const partOf = <Row>(rows: readonly Row[], { limit }: Page, placeOf: (row: Row) => Place): Part<Row> => {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? placeOf(last) : undefined };
};

import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type ApiFailure, readPart } from '../stream/api.js';
import { failureOf } from './loaded.js';
import { endWait, isWaiting, sendLater } from './waiting-requests.js';

/** Rows that were read, newest first. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Leads to older ones; undefined: there are none. */
  readonly cursor?: string;
}

export interface List<Row> extends Rows<Row> {
  readonly failure?: ApiFailure;
  /** Until the first answer. */
  readonly isLoading: boolean;
}

/** A list as a page has it. */
export interface ShownList<Row> extends List<Row> {
  readonly retry: () => void;
  /** Undefined at the end of the list. */
  readonly more: (() => void) | undefined;
}

/** By its hash, or that of its transaction: several rows of one are next to each other. */
type Identified = { readonly hash: string } | { readonly txHash: string };

const idOf = (row: Identified): string => ('hash' in row ? row.hash : row.txHash);

/** The newest rows as they are now, and below them the older ones that were read before, if they join. */
export const withNewest = <Row extends Identified>(known: Rows<Row>, newest: Rows<Row>): Rows<Row> => {
  const last = newest.rows.at(-1);
  if (last === undefined) return newest;
  const isOfLast = (row: Row): boolean => idOf(row) === idOf(last);
  const places = known.rows.flatMap((row, place) => (isOfLast(row) ? [place] : []));
  const place = places[newest.rows.filter(isOfLast).length - 1];
  const older = place === undefined ? [] : known.rows.slice(place + 1);
  return older.length > 0 ? { rows: [...newest.rows, ...older], cursor: known.cursor } : newest;
};

/** Lists of pages that were left: they are as long as they were when one comes back. */
const kept = new Map<string, Signal<List<Identified>>>();
const mostKept = 20;

const listOf = <Row extends Identified>(path: string): Signal<List<Row>> => {
  let found = kept.get(path);
  if (found === undefined) {
    found = signal<List<Identified>>({ rows: [], isLoading: true });
    kept.set(path, found);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
  }
  return found as unknown as Signal<List<Row>>;
};

type Answer = readonly Identified[];

/** @param cursor undefined: the newest rows */
const readRows = async (path: string, rowsOf: (answer: unknown) => Answer, cursor?: string): Promise<void> => {
  const list = listOf(path);
  const part = cursor === undefined ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
  endWait(part);
  try {
    const { value, nextCursor } = await readPart(part);
    const known = list.peek();
    const rows = rowsOf(value);
    const read = { rows, cursor: nextCursor };
    if (cursor === undefined) list.value = { ...withNewest(known, read), isLoading: false };
    // Meanwhile the list may end elsewhere: it began anew, or somebody asked twice.
    else if (known.cursor === cursor)
      list.value = { rows: [...known.rows, ...rows], cursor: nextCursor, isLoading: false };
    else list.value = { ...known, isLoading: false };
  } catch (error) {
    const failure = failureOf(error);
    list.value = { ...list.peek(), failure, isLoading: false };
    sendLater(part, failure, () => void readRows(path, rowsOf, cursor));
  }
};

/**
 * A list of the API that goes on by its cursor. Its newest rows are asked for again when `version` changes.
 * @param path with a limit
 * @param rowsOf where an answer has its rows, if it is not a list itself
 */
export const useList = <Row extends Identified>(
  path: string,
  version: unknown,
  rowsOf = (answer: unknown): Answer => answer as Answer,
): ShownList<Row> => {
  useEffect(() => {
    if (!isWaiting(path)) void readRows(path, rowsOf);
  }, [path, version]);
  const list = listOf<Row>(path).value;
  return {
    ...list,
    retry: () => void readRows(path, rowsOf),
    more: list.cursor === undefined ? undefined : () => void readRows(path, rowsOf, list.cursor),
  };
};

/**
 * A list whose newest rows came with another answer.
 * @param path with a limit, where its older rows are
 * @param newest undefined: they are not there yet
 */
export const useOlder = <Row extends Identified>(path: string, newest: Rows<Row> | undefined): ShownList<Row> => {
  const list = listOf<Row>(path);
  const known = list.value;
  const shown = useMemo(
    (): List<Row> => (newest === undefined ? known : { ...known, ...withNewest(known, newest), isLoading: false }),
    [known, newest],
  );
  useEffect(() => void (list.value = shown), [path, newest]);
  const older = (): void => void readRows(path, (answer) => answer as Answer, shown.cursor);
  return { ...shown, retry: older, more: shown.cursor === undefined ? undefined : older };
};

/** The rows of an index by table, each row as one text, sorted: without identity values and in one form. */
export type Snapshot = Readonly<Record<string, readonly string[]>>;

export const row = (...values: readonly unknown[]): string =>
  values.map((value) => (value === null || value === undefined ? '-' : String(value))).join(' ');

/** The first rows that only one of the two has; empty for equal ones. */
export const differences = (found: Snapshot, expected: Snapshot): string[] =>
  Object.keys(expected).flatMap((table) => {
    const [mine, theirs] = [found[table] ?? [], expected[table]!];
    const extra = mine.filter((text) => !theirs.includes(text)).map((text) => `${table}: unexpected ${text}`);
    const missing = theirs.filter((text) => !mine.includes(text)).map((text) => `${table}: missing ${text}`);
    const count = mine.length === theirs.length ? [] : [`${table}: ${mine.length} rows, expected ${theirs.length}`];
    return [...extra, ...missing, ...count].slice(0, 4);
  });

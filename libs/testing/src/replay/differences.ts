/** One value that differs from the recording. */
export interface Difference {
  /** `line 12 (0,1) 3af0..`, `final state group 2`, `rejected-blocks.json version 1` ... */
  readonly where: string;
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(value, bigintsAsText) ?? 'nothing';
};

const bigintsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

/** Collects differences and counts what was compared. */
export class Differences {
  readonly list: Difference[] = [];
  compared = 0;

  /** Compares by the text of the values. */
  compare(where: string, what: string, expected: unknown, actual: unknown): void {
    this.compared++;
    const [wanted, found] = [textOf(expected), textOf(actual)];
    if (wanted !== found) this.list.push({ where, what, expected: wanted, actual: found });
  }

  /** Runs a part of the comparison; an error becomes a difference, and the comparison continues. */
  async during(where: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.compare(where, 'answer', 'one', error instanceof Error ? error.message : String(error));
    }
  }
}

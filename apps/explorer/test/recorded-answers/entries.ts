/** A recorded answer; `headers` are not compared. */
export interface RecordedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
}

/** A request and its answers. */
export interface Entry {
  readonly id: string;
  /** Number of blocks of the history that the explorer has followed. */
  readonly blocks: number;
  /** The time of the explorer, milliseconds since 1970. */
  readonly clock: number;
  /** Asked with pending transactions. */
  readonly pending?: boolean;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  /** The body as it is sent, where it is no JSON. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly current: RecordedAnswer;
  /** Members of our answer that differ from the recorded one. */
  readonly expected?: Partial<RecordedAnswer>;
  /** Of a refusal: the part of its text that clients may rely on. */
  readonly detailStartsWith?: string;
  /** Why it is not compared. */
  readonly skip?: string;
}

/** The entries of a file. */
export const entriesOfText = (text: string): readonly Entry[] =>
  (JSON.parse(text) as { readonly entries: readonly Entry[] }).entries;

/** Numbers of blocks at which there are answers, ascending. */
export const stagesOf = (entries: readonly Entry[]): readonly number[] =>
  [...new Set(entries.map(({ blocks }) => blocks))].sort((a, b) => a - b);

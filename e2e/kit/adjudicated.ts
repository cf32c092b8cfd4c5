/** Exchanges whose recorded expectation cannot hold together with a decision or another recording, and what we answer. */
export interface Adjudicated {
  readonly transcript: string;
  readonly step: number;
  /** Where it holds; default: in both. */
  readonly profile?: 'document' | 'reference';
  /** In the form of the recordings: replaces what is expected of us. */
  readonly expect: { readonly status: number | readonly number[]; readonly body?: unknown };
  readonly why: string;
}

export const adjudicated: readonly Adjudicated[] = [];

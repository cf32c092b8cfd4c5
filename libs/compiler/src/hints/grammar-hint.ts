import { type Surroundings } from './reading.js';

/** A hint for a text that does not fit the grammar. */
export interface GrammarHint {
  /** The token, for people. */
  readonly token: string;
  /** Absent: anywhere. */
  readonly within?: readonly Surroundings[];
  /** The construct that the bracket before the place closes. */
  readonly closed?: Surroundings;
  /** Pattern of the end of the text before the place. */
  readonly before?: RegExp;
  /** Pattern of the beginning of the text from the place on. */
  readonly at?: RegExp;
  /** The expectation of the error's text, as a label of the grammar. */
  readonly expected?: string;
  /** A word of the place is nearly the keyword of a definition or statement. */
  readonly isNearKeyword?: true;
  /** The place is not that of the error, which is often the beginning of the statement or the function. */
  readonly isElsewhere?: true;
  /** `{word}`: the word at the place; `{open}` and `{line}`: the innermost open bracket and its line; `{keyword}`: the nearest one. */
  readonly text: string;
}

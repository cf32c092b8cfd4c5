/** A part of the source: UTF-16 code units from 0, `end` not included (protocol 06 §2). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

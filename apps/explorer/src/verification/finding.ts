/** Something in the index that is not what it must be (protocol 08 §4.1). */
export interface Finding {
  /** Name of the check. */
  readonly check: string;
  /** A chain and height, or ids of rows. */
  readonly subject: string;
  readonly stored: string;
  readonly expected: string;
}

/** Findings of one check that are kept: more say nothing new. */
export const mostFindings = 20;

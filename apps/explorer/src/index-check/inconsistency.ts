/** A row or block of the index that breaks a rule (protocol 08 §4.1). */
export interface Inconsistency {
  /** Name of the check. */
  readonly check: string;
  /** A chain and height, or ids of rows. */
  readonly subject: string;
  readonly stored: string;
  readonly expected: string;
}

/** Inconsistencies that one check reports: further ones add nothing. */
export const mostOfCheck = 20;

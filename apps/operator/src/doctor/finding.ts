/** Outcome of a check. `skipped`: there was nothing to check, or no access. */
export type Outcome = 'ok' | 'warning' | 'fault' | 'skipped';

/** One line of the doctor's report. */
export interface Finding {
  /** A constant word: `bus-down`, `clock-off`; without a problem the name of the check. */
  readonly code: string;
  readonly outcome: Outcome;
  /** The checked thing: `bus`, `group 2`, `database shardnode_group_0`. */
  readonly what: string;
  /** The finding and its consequence. */
  readonly text: string;
  /** The next step. */
  readonly next?: string;
}

export const ok = (code: string, what: string, text: string): Finding => ({ code, outcome: 'ok', what, text });

export const skipped = (code: string, what: string, text: string, next?: string): Finding => ({
  code,
  outcome: 'skipped',
  what,
  text,
  ...(next === undefined ? {} : { next }),
});

export const fault = (code: string, what: string, text: string, next: string): Finding => ({
  code,
  outcome: 'fault',
  what,
  text,
  next,
});

export const warning = (code: string, what: string, text: string, next: string): Finding => ({
  code,
  outcome: 'warning',
  what,
  text,
  next,
});

/** What each check can come to. `skipped`: there was nothing to look at, or no way to look. */
export type Outcome = 'ok' | 'warning' | 'fault' | 'skipped';

/** One line of the doctor's answer. */
export interface Finding {
  /** A word that never changes: `bus-down`, `clock-off`; of what is well the check's own. */
  readonly code: string;
  readonly outcome: Outcome;
  /** What was looked at: `bus`, `group 2`, `database shardnode_group_0`. */
  readonly what: string;
  /** What was found, and what it means. */
  readonly text: string;
  /** What to do about it. */
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

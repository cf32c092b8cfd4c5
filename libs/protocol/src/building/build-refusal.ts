import { type Refusal } from '../validation/index.js';

/**
 * A transaction that cannot be built. The texts are those that tools match (protocol 02 §4, 07 §16.11); `{COIN}` and
 * `{Coin}` in them stand for the coin's symbol and name and are replaced at the HTTP edge.
 */
export class BuildRefusal extends Error {
  constructor(
    readonly code: string,
    readonly text: string,
    /** Why a script that was tried failed, and where. */
    readonly reason?: Refusal,
  ) {
    super(text);
    this.name = 'BuildRefusal';
  }
}

export type BuildOutcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Runs a builder: its refusal becomes a value, anything else thrown is a fault and passes. */
export const buildOutcome = <T>(build: () => T): BuildOutcome<T> => {
  try {
    return { ok: true, value: build() };
  } catch (error) {
    if (!(error instanceof BuildRefusal)) throw error;
    const { code, text: detail, reason } = error;
    return { ok: false, refusal: { code, detail, ...(reason && { reason }) } };
  }
};

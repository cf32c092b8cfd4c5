import { type OutputReference } from '@shardnode/protocol/primitives';
import { type Output } from '@shardnode/protocol/transaction';

const lockTimeOf = (output: Output | undefined): bigint => (output?.kind === 'asset' ? output.lockTime : 0n);

/**
 * The time at which the last of these outputs is unlocked: milliseconds since 1970, as digits, because lock times
 * exceed a double.
 */
export const lastUnlock = (
  references: readonly OutputReference[],
  outputOf: (reference: OutputReference) => Output | undefined,
): string =>
  references
    .map((reference) => lockTimeOf(outputOf(reference)))
    .reduce((last, time) => (time > last ? time : last), 0n)
    .toString();

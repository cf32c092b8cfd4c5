import { blake2bHash } from '@shardnode/protocol/crypto';
import { outputHint, referenceId, type OutputReference } from '@shardnode/protocol/primitives';
import { type OutputView } from '@shardnode/protocol/state';
import { type AssetOutput, type Output } from '@shardnode/protocol/transaction';
import { type SpendableOutput } from './signed-transfer.js';

/** A view in which exactly the given outputs exist. */
export const outputViewOf = (
  outputs: readonly { readonly reference: OutputReference; readonly output: Output }[],
): OutputView => {
  const known = new Map(outputs.map(({ reference, output }) => [referenceId(reference), output]));
  return { output: (reference) => known.get(referenceId(reference)) };
};

/** An invented output, for tests of rules; `name` makes its reference unique. */
export const inventedOutput = (output: AssetOutput, name: string): SpendableOutput => ({
  reference: { hint: outputHint(output.lockupScript), key: blake2bHash(new TextEncoder().encode(name)) },
  output,
});

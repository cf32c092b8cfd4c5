import { encode } from '../encoding/index.js';
import {
  gasOfHashing,
  type Hash,
  maxCodeSize,
  maximalGasPerTx,
  minGasPrice,
  minimalGas,
  scriptBaseGas,
  signatureLength,
} from '../primitives/index.js';
import { type StatefulScript, statelessScriptCodec } from '../script/index.js';
import { type ContractLayer } from '../state/index.js';
import { type AssetOutput, transactionId, type UnsignedTransaction } from '../transaction/index.js';
import {
  codeSizeOf,
  executionAborted,
  executionRefusal,
  failedBeforeRun,
  type Refusal,
  refusalReason,
  refusalText,
} from '../validation/index.js';
import {
  beginTransactionScript,
  type BegunRun,
  type BlockEnvironment,
  executeUnlockScript,
  proceeded,
  type RunOutcome,
  type TransactionEnvironment,
} from '../vm/index.js';
import { BuildRefusal, refusalOf } from './build-refusal.js';
import { type ScriptTrial } from './script-gas.js';
import { type Sender } from './sender.js';
import { type Utxo } from './utxo.js';

/** Placeholders on the signature stack of a trial; they are not verified (protocol 05 §15). */
const arbitrarySignatures = Array.from({ length: 16 }, (_, i) => new Uint8Array(signatureLength).fill(i));

const noData = new Uint8Array(0);

/** A transaction with only the inputs and the script of the one being built (protocol 02 §2.6). */
const trialTransaction = (
  networkId: number,
  { lockupScript, unlockScript }: Sender,
  utxos: readonly Utxo[],
  script?: StatefulScript,
): TransactionEnvironment => {
  const unsigned: UnsignedTransaction = {
    version: 0,
    networkId,
    script,
    gasAmount: minimalGas,
    gasPrice: minGasPrice,
    inputs: utxos.map(({ reference }) => ({ outputReference: reference, unlockScript })),
    fixedOutputs: [],
  };
  const inputs = utxos.map(({ amount, tokens, lockTime = 0n }): AssetOutput => ({
    kind: 'asset',
    amount,
    lockupScript,
    lockTime,
    tokens,
    additionalData: noData,
  }));
  const { gasAmount, gasPrice } = unsigned;
  return { id: transactionId(unsigned), gasAmount, gasPrice, inputs, fixedOutputs: [] };
};

/** `what`: the tried script, as named in texts. */
const failedTrial = (what: string, failure: Refusal): BuildRefusal =>
  new BuildRefusal(
    'ScriptTrialFailed',
    `The ${what} fails when it is tried to learn its gas: ${refusalReason(failure)}`,
    failure,
    { of: what, trialFailure: refusalText(failure) },
  );

const transactionScript = 'script';
const unlockScript = "sender's script";

const gasUsed = (what: string, outcome: RunOutcome<object>): number => {
  switch (outcome.kind) {
    case 'succeeded':
      return maximalGasPerTx - outcome.gasLeft;
    case 'failed':
    case 'inactiveInstruction':
      throw failedTrial(what, executionRefusal(outcome.failure));
    case 'aborted':
      throw failedTrial(what, executionAborted(outcome.why));
  }
};

const checkSize = (what: string, size: number): void => {
  if (size > maxCodeSize) throw failedTrial(what, failedBeforeRun('CodeSizeTooLarge', size));
};

/** Started runs by transaction: a builder that met a StateMiss requests the same run again. */
const transactionScriptTrials = (
  blockOf: () => BlockEnvironment,
  newContracts: () => ContractLayer,
): ScriptTrial['transactionScriptGas'] => {
  const runs = new Map<Hash, BegunRun>();
  const begin = (block: BlockEnvironment, transaction: TransactionEnvironment, script: StatefulScript): BegunRun => {
    const run = beginTransactionScript({
      block,
      transaction,
      script,
      layer: newContracts(),
      gasLimit: maximalGasPerTx - scriptBaseGas - codeSizeOf(script),
      scriptSignatures: arbitrarySignatures,
      mocksSignatures: true,
      endPhase: 'estimate',
    });
    runs.set(transaction.id, run);
    return run;
  };
  return (script, sender, inputs) => {
    if (inputs.length === 0)
      throw refusalOf('NoUtxo', 'The sender has no spendable outputs to try the script with. Send it coins first.');
    checkSize(transactionScript, codeSizeOf(script));
    const block = blockOf();
    const transaction = trialTransaction(block.networkId, sender, inputs, script);
    const run = runs.get(transaction.id) ?? begin(block, transaction, script);
    return gasUsed(transactionScript, proceeded(run));
  };
};

/**
 * Runs scripts with the maximum gas of a transaction and unchecked signatures, to determine their gas (protocol 02
 * §2.6, 05 §15). `blockOf`: returns the block that the node would make next on the intra-group chain; called only if a
 * script is tried. `newContracts`: returns a new layer over the contracts of the best state, for each trial. Throws
 * RunMiss: the same trial, called again, continues its runs.
 */
export const scriptTrial = (blockOf: () => BlockEnvironment, newContracts: () => ContractLayer): ScriptTrial => ({
  transactionScriptGas: transactionScriptTrials(blockOf, newContracts),
  unlockScriptGas: ({ script, parameters }, sender, inputs) => {
    const size = encode(statelessScriptCodec, script).length;
    checkSize(unlockScript, size);
    const block = blockOf();
    const outcome = executeUnlockScript({
      block,
      transaction: trialTransaction(block.networkId, sender, inputs),
      script,
      parameters,
      gasLimit: maximalGasPerTx - scriptBaseGas - size - gasOfHashing(size),
      signatures: arbitrarySignatures,
      mocksSignatures: true,
    });
    if (outcome.kind === 'failed' && outcome.failure.failure === 'InvalidPublicKey') {
      throw new BuildRefusal(
        'ScriptTrialFailed',
        "The sender's script cannot be tried to learn its gas, because it takes a signature. Give the gas amount.",
        executionRefusal(outcome.failure),
        { of: 'signature' },
      );
    }
    return gasUsed(unlockScript, outcome);
  },
});

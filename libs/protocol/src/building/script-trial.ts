import { encode } from '../encoding/index.js';
import { type NetworkSettings } from '../network/index.js';
import { checkAdmission } from '../policy/index.js';
import {
  gasOfHashing,
  type Hash,
  type LockupScript,
  maxCodeSize,
  maximalGasPerTx,
  minGasPrice,
  minimalGas,
  referenceId,
  sameLockupScript,
  scriptBaseGas,
  signatureLength,
  zeroHash,
} from '../primitives/index.js';
import { type StatefulScript, statelessScriptCodec } from '../script/index.js';
import { type ContractLayer, type OutputView } from '../state/index.js';
import { type AssetOutput, transactionId, type UnsignedTransaction } from '../transaction/index.js';
import {
  codeSizeOf,
  executionAborted,
  executionRefusal,
  failedBeforeRun,
  type Refusal,
  refusalReason,
  refusalText,
  scriptExecutor,
  type ScriptExecutor,
  type Verdict,
} from '../validation/index.js';
import {
  beginTransactionScript,
  type BegunRun,
  type BlockEnvironment,
  coinOfOutputs,
  executeUnlockScript,
  type FailureArguments,
  type FailureName,
  proceeded,
  type RunOutcome,
  type TransactionEnvironment,
} from '../vm/index.js';
import { BuildRefusal, type Lack, refusalOf } from './build-refusal.js';
import { type BuiltScript, type ScriptTrial } from './script-gas.js';
import { type Sender } from './sender.js';
import { type Utxo } from './utxo.js';

/** Placeholders on the signature stack of a trial; they are not verified (protocol 05 §15). */
const arbitrarySignatures = Array.from({ length: 16 }, (_, i) => new Uint8Array(signatureLength).fill(i));

const noData = new Uint8Array(0);

const spentBy = ({ lockupScript }: Sender, utxos: readonly Utxo[]): readonly AssetOutput[] =>
  utxos.map(({ amount, tokens, lockTime = 0n }) => ({
    kind: 'asset',
    amount,
    lockupScript,
    lockTime,
    tokens,
    additionalData: noData,
  }));

const environmentOf = ({ unsigned, sender, inputs }: BuiltScript): TransactionEnvironment => {
  const { gasAmount, gasPrice, fixedOutputs } = unsigned;
  return { id: transactionId(unsigned), gasAmount, gasPrice, inputs: spentBy(sender, inputs), fixedOutputs };
};

/** A transaction with only the inputs and the script of the one being built (protocol 02 §2.6). */
const trialTransaction = (
  networkId: number,
  sender: Sender,
  inputs: readonly Utxo[],
  script?: StatefulScript,
): TransactionEnvironment => {
  const { unlockScript } = sender;
  const unsigned: UnsignedTransaction = {
    version: 0,
    networkId,
    script,
    gasAmount: minimalGas,
    gasPrice: minGasPrice,
    inputs: inputs.map(({ reference }) => ({ outputReference: reference, unlockScript })),
    fixedOutputs: [],
  };
  return environmentOf({ unsigned, sender, inputs });
};

/** Assets that an owner would need on top of what is approved. */
interface Missing {
  readonly owner: LockupScript;
  /** Absent: coin. */
  readonly token?: Hash | undefined;
  readonly more: bigint;
}

/** Failures that more approved assets may avoid. */
const missingBy: { readonly [Name in FailureName]?: (...args: FailureArguments<Name>) => Missing } = {
  NotEnoughApprovedBalance: (owner, tokenId, expected, got) => ({
    owner,
    token: tokenId === zeroHash ? undefined : tokenId,
    more: expected - got,
  }),
  InvalidOutputBalances: (owner, tokens, amount) => ({ owner, more: coinOfOutputs(tokens, amount) - amount }),
};

const missingIn = <Name extends FailureName>(name: Name, args: FailureArguments<Name>): Missing | undefined =>
  missingBy[name]?.(...args);

/** Assets of the sender that a script lacks; undefined if it fails for another reason. */
const lackOf = ({ lockupScript }: Sender, { failure }: Refusal): Lack | undefined => {
  const missing = failure && missingIn(failure.failure, failure.args);
  if (!missing || !sameLockupScript(missing.owner, lockupScript)) return undefined;
  const { token, more } = missing;
  const { contractId, methodIndex, instructionIndex } = failure.location ?? {};
  return { token, more, at: [contractId, methodIndex, instructionIndex].join(), otherwise: 'Approve more for it' };
};

/** `what`: the tried script, as named in texts. `sender`: of a transaction script, whose assets may be lacking. */
export const failedTrial = (what: string, failure: Refusal, sender?: Sender): BuildRefusal => {
  const lack = sender && lackOf(sender, failure);
  return new BuildRefusal(
    'ScriptTrialFailed',
    `The ${what} failed while estimating its gas: ${refusalReason(failure)}${lack ? '.' : ''}`,
    failure,
    { of: what, trialFailure: refusalText(failure) },
    lack,
  );
};

const transactionScript = 'script';
const unlockScript = "sender's script";

const gasUsed = (what: string, outcome: RunOutcome<object>, sender?: Sender): number => {
  switch (outcome.kind) {
    case 'succeeded':
      return maximalGasPerTx - outcome.gasLeft;
    case 'failed':
    case 'inactiveInstruction':
      throw failedTrial(what, executionRefusal(outcome.failure), sender);
    case 'aborted':
      throw failedTrial(what, executionAborted(outcome.why));
  }
};

const checkSize = (what: string, size: number): void => {
  if (size > maxCodeSize) throw failedTrial(what, failedBeforeRun('CodeSizeTooLarge', size));
};

export const noUtxo = (): BuildRefusal =>
  refusalOf('NoUtxo', 'The sender has no spendable outputs to try the script with. Send it coins first.');

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
    if (inputs.length === 0) throw noUtxo();
    checkSize(transactionScript, codeSizeOf(script));
    const block = blockOf();
    const transaction = trialTransaction(block.networkId, sender, inputs, script);
    const run = runs.get(transaction.id) ?? begin(block, transaction, script);
    return gasUsed(transactionScript, proceeded(run));
  };
};

/** The same as `transactionScriptTrials`, for transactions that are built. */
const builtScriptTrials = (
  blockOf: () => BlockEnvironment,
  newContracts: () => ContractLayer,
): ScriptTrial['builtScriptGas'] => {
  const runs = new Map<Hash, BegunRun>();
  return (built) => {
    const transaction = environmentOf(built);
    const { script } = built.unsigned;
    if (!script) throw new Error('a transaction without a script is tried');
    checkSize(transactionScript, codeSizeOf(script));
    const run =
      runs.get(transaction.id) ??
      beginTransactionScript({
        block: blockOf(),
        transaction,
        script,
        layer: newContracts(),
        gasLimit: maximalGasPerTx - scriptBaseGas - codeSizeOf(script),
        scriptSignatures: [],
        endPhase: 'whole',
      });
    runs.set(transaction.id, run);
    return gasUsed(transactionScript, proceeded(run), built.sender);
  };
};

/** Signatures of a sender, which are not verified; those of a script are in its mocked run. */
const signaturesOf = ({ unlockScript: unlock }: Sender): readonly Uint8Array[] =>
  arbitrarySignatures.slice(0, unlock.kind === 'p2mpkh' ? unlock.keys.length : unlock.kind === 'p2pkh' ? 1 : 0);

/** Runs transaction scripts as they are, and unlock scripts without looking at signatures. */
const admissionExecutor = (block: BlockEnvironment, contracts: ContractLayer, built: BuiltScript): ScriptExecutor => ({
  ...scriptExecutor(block, contracts),
  runUnlockScript: ({ script, parameters, gasLimit }) => {
    const outcome = executeUnlockScript({
      block,
      transaction: environmentOf(built),
      script,
      parameters,
      gasLimit,
      signatures: arbitrarySignatures,
      mocksSignatures: true,
    });
    if (outcome.kind === 'succeeded') return { kind: 'succeeded', gasLeft: outcome.gasLeft, signaturesTaken: 0 };
    const failure = outcome.kind === 'aborted' ? executionAborted(outcome.why) : executionRefusal(outcome.failure);
    return { kind: 'failed', failure };
  },
});

/** Admissions by transaction: one that met a RunMiss continues. */
const admissions = (
  settings: NetworkSettings,
  blockOf: () => BlockEnvironment,
  newContracts: () => ContractLayer,
): ScriptTrial['admissionOf'] => {
  const begun = new Map<Hash, () => Verdict>();
  const begin = (built: BuiltScript): (() => Verdict) => {
    const { unsigned, sender, inputs } = built;
    const block = blockOf();
    const contracts = newContracts();
    const spent = spentBy(sender, inputs);
    const byId = new Map(inputs.map(({ reference }, i) => [referenceId(reference), spent[i]!]));
    const output: OutputView['output'] = (reference) =>
      byId.get(referenceId(reference)) ?? contracts.contractOutput(reference);
    const template = { unsigned, inputSignatures: signaturesOf(sender), scriptSignatures: [] };
    const admission = {
      settings,
      view: { output },
      now: block.timestamp,
      verifySignature: () => true,
      executor: admissionExecutor(block, contracts, built),
    };
    return () => checkAdmission(template, admission);
  };
  return (built) => {
    const id = transactionId(built.unsigned);
    const known = begun.get(id) ?? begin(built);
    begun.set(id, known);
    return known();
  };
};

/**
 * Runs scripts with the maximum gas of a transaction and unchecked signatures, to determine their gas (protocol 02
 * §2.6, 05 §15), and built transactions as the mempool does. `blockOf`: returns the block that the node would make next on the intra-group chain; called only if a
 * script is tried. `newContracts`: returns a new layer over the contracts of the best state, for each trial. Throws
 * RunMiss: the same trial, called again, continues its runs.
 */
export const scriptTrial = (
  settings: NetworkSettings,
  blockOf: () => BlockEnvironment,
  newContracts: () => ContractLayer,
): ScriptTrial => ({
  transactionScriptGas: transactionScriptTrials(blockOf, newContracts),
  builtScriptGas: builtScriptTrials(blockOf, newContracts),
  admissionOf: admissions(settings, blockOf, newContracts),
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

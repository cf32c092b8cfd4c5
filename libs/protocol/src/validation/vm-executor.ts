import { type SealedHeader, targetValue } from '../block/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type ContractLayer, StateMiss } from '../state/index.js';
import {
  type AssetOutput,
  type Output,
  type Transaction,
  transactionId,
  type UnsignedTransaction,
} from '../transaction/index.js';
import {
  beginTransactionScript,
  type BegunRun,
  type BlockEnvironment,
  executeUnlockScript,
  proceeded,
  type TransactionEnvironment,
} from '../vm/index.js';
import { executionAborted, executionRefusal } from './execution-refusal.js';
import { type ScriptExecutor, type TransactionScriptRun } from './script-executor.js';

/** Environment of scripts in an existing block (protocol 05 §8.3). */
export const blockEnvironmentOf = (
  { networkId }: Pick<NetworkSettings, 'networkId'>,
  { hash, timestamp, target, chainIndex }: SealedHeader,
): BlockEnvironment => ({
  networkId,
  timestamp,
  target: targetValue(target),
  blockHash: hash,
  group: chainIndex.from,
});

/** `previousOutputs`: of all inputs, then of all contract inputs; the existence rule lets only asset outputs pass for inputs. */
const environmentOf = ({ unsigned }: Transaction, previousOutputs: readonly Output[]): TransactionEnvironment => ({
  id: transactionId(unsigned),
  gasPrice: unsigned.gasPrice,
  gasAmount: unsigned.gasAmount,
  inputs: previousOutputs.slice(0, unsigned.inputs.length) as readonly AssetOutput[],
  fixedOutputs: unsigned.fixedOutputs,
});

/** A run that met a StateMiss. When it is requested again, it continues, or returns its outcome. */
interface StoppedRun {
  readonly unsigned: UnsignedTransaction;
  readonly gasLimit: number;
  readonly run: BegunRun;
}

/** Runs transaction scripts; a run that stopped at a miss continues when it is requested again. */
const stoppableRuns = (block: BlockEnvironment, contracts: ContractLayer) => {
  let stopped: StoppedRun | undefined;
  return ({ transaction, previousOutputs, gasLimit }: TransactionScriptRun): ReturnType<BegunRun['proceed']> => {
    const { unsigned, scriptSignatures } = transaction;
    if (stopped?.unsigned === unsigned && stopped.gasLimit === gasLimit) return proceeded(stopped.run);
    stopped = undefined;
    const { script } = unsigned;
    if (!script) throw new Error('a transaction without a script is run');
    const environment = environmentOf(transaction, previousOutputs);
    const run = beginTransactionScript({
      block,
      transaction: environment,
      script,
      layer: contracts,
      gasLimit,
      scriptSignatures,
      endPhase: 'whole',
    });
    try {
      return proceeded(run);
    } catch (error) {
      if (error instanceof StateMiss) stopped = { unsigned, gasLimit, run };
      throw error;
    }
  };
};

const unlockScripts =
  (block: BlockEnvironment): ScriptExecutor['runUnlockScript'] =>
  ({ transaction, previousOutputs, script, parameters, gasLimit, signatures }) => {
    const environment = environmentOf(transaction, previousOutputs);
    const outcome = executeUnlockScript({ block, transaction: environment, script, parameters, gasLimit, signatures });
    switch (outcome.kind) {
      case 'succeeded':
        return outcome;
      case 'failed':
      case 'inactiveInstruction':
        return { kind: 'failed', failure: executionRefusal(outcome.failure) };
      case 'aborted':
        return { kind: 'failed', failure: executionAborted(outcome.why) };
    }
  };

const transactionScripts = (
  block: BlockEnvironment,
  contracts: ContractLayer | undefined,
): ScriptExecutor['runTransactionScript'] => {
  const outcomeOf = contracts && stoppableRuns(block, contracts);
  return (run) => {
    if (!outcomeOf) throw new Error('a transaction script is run without the contracts of its state');
    const outcome = outcomeOf(run);
    switch (outcome.kind) {
      case 'succeeded': {
        const { contractInputs, generatedOutputs, gasLeft, layer } = outcome;
        return { kind: 'succeeded', contractInputs, generatedOutputs, gasLeft, keep: () => layer.keep() };
      }
      case 'failed':
      case 'inactiveInstruction':
        return { kind: outcome.kind, failure: executionRefusal(outcome.failure) };
      case 'aborted':
        return { kind: 'aborted', failure: executionAborted(outcome.why) };
    }
  };
};

/**
 * Runs scripts in the virtual machine (protocol 05 §8). `contracts`: the layer of the block, the template or the check,
 * of which each transaction script gets a child; undefined on inter-group chains, where no transaction script can be
 * valid. A run with missing state throws RunMiss; after it has continued, call the same executor again with the same
 * transaction.
 */
export const scriptExecutor = (block: BlockEnvironment, contracts: ContractLayer | undefined): ScriptExecutor => ({
  runUnlockScript: unlockScripts(block),
  runTransactionScript: transactionScripts(block, contracts),
});

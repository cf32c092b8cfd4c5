import { type OutputReference } from '../primitives/index.js';
import { type StatefulScript, usesApprovedAssets, type Val } from '../script/index.js';
import { type ContractLayer, type LogEntry, RunMiss, StateMiss } from '../state/index.js';
import { type Output } from '../transaction/index.js';
import { type BalanceList } from './balance-list.js';
import { newBalanceState } from './balance-state.js';
import { type CodeObject } from './code-object.js';
import { ContractSession } from './contract-session.js';
import { type EndPhase, endTransactionScript } from './end-phase.js';
import { type BlockEnvironment, type TransactionEnvironment } from './environment.js';
import { fail } from './failure.js';
import { type Frame } from './frame.js';
import { enterEntryMethod } from './frames.js';
import { initialBalances } from './initial-balances.js';
import { run } from './run-loop.js';
import { type RunOutcome, runOutcome } from './run-outcome.js';

/** Options of a stateful run. */
export interface StatefulRunOptions {
  readonly block: BlockEnvironment;
  readonly transaction: TransactionEnvironment;
  /** Contracts of the run; its changes go to a child of this layer. */
  readonly layer: ContractLayer;
  /** Gas left after the code charge (protocol 05 §8.2 step 1). */
  readonly gasLimit: number;
  /** As in the transaction, 64 bytes each: the last is taken first (protocol 05 §18 item 5). */
  readonly scriptSignatures: readonly Uint8Array[];
  /** Balances of an entry method with approved assets; default: those of the transaction (protocol 05 §9.2). */
  readonly balances?: BalanceList;
  /** The script does not verify signatures, but called contracts do: gas estimation (protocol 05 §15). */
  readonly mocksSignatures?: boolean;
  readonly endPhase: EndPhase;
  /** The entry method may return values: dry runs, tests (protocol 05 §4.6). */
  readonly receivesResults?: boolean;
  /** Called for each event, also if the run fails later: dry runs show debug messages. */
  readonly hears?: (entry: LogEntry) => void;
}

export interface TransactionScriptOptions extends StatefulRunOptions {
  readonly script: StatefulScript;
}

export interface TransactionScriptResult {
  /** Results of the entry method. */
  readonly results: readonly Val[];
  readonly contractInputs: readonly OutputReference[];
  readonly generatedOutputs: readonly Output[];
  /** The changes of the run, not yet kept (protocol 05 §8.2 step 4). */
  readonly layer: ContractLayer;
}

const entryBalances = ({ balances, transaction }: StatefulRunOptions): BalanceList => {
  if (balances) return balances;
  const { inputs, fixedOutputs, gasAmount, gasPrice } = transaction;
  const initial = initialBalances({ inputs, fixedOutputs, fee: BigInt(gasAmount) * gasPrice });
  return typeof initial === 'string' ? fail(initial) : initial;
};

/** A run that stops at a StateMiss, and continues from there. */
export interface BegunRun {
  /**
   * Continues to the end; later calls return the same outcome. Throws StateMiss: load the named entries, hold earlier
   * reads in memory, and call it again.
   */
  proceed(): RunOutcome<TransactionScriptResult>;
}

/** Begins a run of the first method of a code object as an entry method, with the end phase (protocol 05 §8.2, §11, §14.1). */
const beginEntryMethod = (code: CodeObject, options: StatefulRunOptions): BegunRun => {
  const layer = options.layer.child();
  const signatures = [...options.scriptSignatures].reverse();
  const { session, machine } = ContractSession.start(layer, { ...options, signatures });
  let entry: Frame | undefined;
  let isEnding = false;
  let outcome: RunOutcome<TransactionScriptResult> | undefined;
  const toEnd = (): TransactionScriptResult => {
    const payable = usesApprovedAssets(code.methods[0]!);
    entry ??= enterEntryMethod(machine, code, [], payable ? newBalanceState(entryBalances(options)) : undefined);
    // The end phase reads nothing new: missing data there was evicted in between.
    if (isEnding) throw new Error('a run that was at its end is gone on with');
    run(machine);
    isEnding = true;
    endTransactionScript(machine, session, entry, options.endPhase);
    return {
      results: machine.results,
      contractInputs: session.assets.inputs.map(({ reference }) => reference),
      generatedOutputs: session.generatedOutputs,
      layer,
    };
  };
  return { proceed: () => (outcome ??= runOutcome(machine, toEnd)) };
};

/** `proceed`, or the miss together with the run that it stopped. */
export const proceeded = (run: BegunRun): RunOutcome<TransactionScriptResult> => {
  try {
    return run.proceed();
  } catch (error) {
    throw error instanceof StateMiss ? new RunMiss(error, () => void run.proceed()) : error;
  }
};

/** A whole run of an entry method. Throws StateMiss. */
export const executeEntryMethod = (
  code: CodeObject,
  options: StatefulRunOptions,
): RunOutcome<TransactionScriptResult> => beginEntryMethod(code, options).proceed();

/** Begins a run of the script of a transaction after its code charge (protocol 05 §8.2). */
export const beginTransactionScript = (options: TransactionScriptOptions): BegunRun =>
  beginEntryMethod({ kind: 'script', methods: options.script.methods }, options);

/** A whole run of such a script. Throws StateMiss. */
export const executeTransactionScript = (options: TransactionScriptOptions): RunOutcome<TransactionScriptResult> =>
  beginTransactionScript(options).proceed();

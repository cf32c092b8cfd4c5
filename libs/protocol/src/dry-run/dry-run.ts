import { type Hash, referenceId } from '../primitives/index.js';
import { type Method, type Val } from '../script/index.js';
import { type ContractLayer, type LogEntry } from '../state/index.js';
import { type AssetOutput, type Output } from '../transaction/index.js';
import { type DebugMessage, debugMessageOf, debugText } from './debug-messages.js';
import { dryRunFee, dryRunGas, dryRunGasPrice, type DryRunCall, entryObject, type InputAsset } from './entry.js';
import {
  type BlockEnvironment,
  executeEntryMethod,
  ExecutionFailure,
  type RunOutcome,
  type TransactionScriptResult,
} from '../vm/index.js';

/** Effects of a run (protocol 05 §14.2, §14.3). */
export interface DryRun {
  readonly returns: readonly Val[];
  readonly gasUsed: number;
  /** Contracts whose outputs were loaded and changed. */
  readonly inputContracts: readonly Hash[];
  readonly outputs: readonly Output[];
  /** In the order of emission, without debug messages. */
  readonly events: readonly LogEntry[];
  readonly debugMessages: readonly DebugMessage[];
  /** The state after the run; to be discarded. */
  readonly layer: ContractLayer;
}

/** Why a requested run is refused, or how it failed. */
export type DryRunRefusal =
  | { readonly kind: 'methodIndex'; readonly methodIndex: number; readonly methods: number }
  | { readonly kind: 'arguments'; readonly methodIndex: number; readonly given: number; readonly expected: number }
  | { readonly kind: 'fee'; readonly amount: bigint }
  /**
   * `messages`: a line for each debug message; `why`: the text of the failure, `{COIN}` and `{coin}` for the coin's symbol
   * (protocol 05 §14.4).
   */
  | {
      readonly kind: 'execution';
      readonly messages: string;
      readonly why: string;
      readonly failure: ExecutionFailure | undefined;
    };

export type DryRunOutcome = ({ readonly kind: 'succeeded' } & DryRun) | DryRunRefusal;

/** `CallExternal` names its method with a byte. */
const lastMethodIndex = 255;

const inputOf = ({ lockupScript, amount, tokens }: InputAsset): AssetOutput => ({
  kind: 'asset',
  amount,
  lockupScript,
  lockTime: 0n,
  tokens,
  additionalData: new Uint8Array(0),
});

const checked = (call: DryRunCall, methods: readonly Method[]): Method | DryRunRefusal => {
  const { methodIndex, args, inputAssets } = call;
  const method = methodIndex > lastMethodIndex ? undefined : methods[methodIndex];
  if (!method) return { kind: 'methodIndex', methodIndex, methods: methods.length };
  if (args.length !== method.argsLength) {
    return { kind: 'arguments', methodIndex, given: args.length, expected: method.argsLength };
  }
  const first = inputAssets[0];
  if (first && first.amount < dryRunFee) return { kind: 'fee', amount: first.amount };
  return method;
};

const whyOf = (outcome: Exclude<RunOutcome<object>, { readonly kind: 'succeeded' }>): string =>
  outcome.kind === 'aborted' ? outcome.why : outcome.failure.text();

interface Conditions {
  readonly block: BlockEnvironment;
  /** The state of the run: not changed. */
  readonly layer: ContractLayer;
  readonly call: DryRunCall;
  /** Gas limit of the run, default `dryRunGas`. With less, an OutOfGas failure says nothing about the call. */
  readonly gas?: number;
}

const succeeded = (
  { layer, gas = dryRunGas }: Conditions,
  outcome: TransactionScriptResult & { readonly gasLeft: number },
  logged: readonly LogEntry[],
): DryRunOutcome => ({
  kind: 'succeeded',
  returns: outcome.results,
  gasUsed: gas - outcome.gasLeft,
  inputContracts: outcome.contractInputs.map((reference) => {
    const output = layer.contractOutput(reference);
    if (!output) throw new Error(`contract input ${referenceId(reference)} is no output of the state`);
    return output.contractId;
  }),
  outputs: outcome.generatedOutputs,
  events: logged.filter((entry) => !debugMessageOf(entry)),
  debugMessages: logged.flatMap((entry) => debugMessageOf(entry) ?? []),
  layer: outcome.layer,
});

/**
 * Calls a method of a contract as in its own transaction, and changes nothing (protocol 05 §14.1). `methods`: those of
 * the called contract. Throws StateMiss.
 */
export const dryRun = (conditions: Conditions, methods: readonly Method[]): DryRunOutcome => {
  const { block, layer, call, gas = dryRunGas } = conditions;
  const method = checked(call, methods);
  if ('kind' in method) return method;
  const logged: LogEntry[] = [];
  const outcome = executeEntryMethod(entryObject(call, method), {
    block,
    transaction: {
      id: call.transactionId,
      gasPrice: dryRunGasPrice,
      gasAmount: dryRunGas,
      inputs: call.inputAssets.map(inputOf),
      fixedOutputs: [],
    },
    layer,
    gasLimit: gas,
    scriptSignatures: [],
    endPhase: 'whole',
    receivesResults: true,
    hears: (entry) => logged.push(entry),
  });
  if (outcome.kind === 'succeeded') return succeeded(conditions, outcome, logged);
  return {
    kind: 'execution',
    messages: debugText(logged),
    why: whyOf(outcome),
    failure: outcome.kind === 'aborted' ? undefined : outcome.failure,
  };
};

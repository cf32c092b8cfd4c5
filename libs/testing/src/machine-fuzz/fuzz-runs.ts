import { isDeepStrictEqual } from 'node:util';
import { bytesToHex, type Codec, decode, DecodeError, encode } from '@shardnode/protocol/encoding';
import { outputHint, outputReferenceCodec, zeroHash } from '@shardnode/protocol/primitives';
import {
  contractCodec,
  estimatedSizeOf,
  statefulScriptCodec,
  statelessScriptCodec,
  valsCodec,
} from '@shardnode/protocol/script';
import { type ContractChanges, ContractCode, type ContractLayer, initialStateHashOf } from '@shardnode/protocol/state';
import { outputCodec, type Output } from '@shardnode/protocol/transaction';
import {
  executeTransactionScript,
  executeUnlockScript,
  type RunOutcome,
  type TransactionEnvironment,
  type TransactionScriptResult,
  type UnlockScriptResult,
} from '@shardnode/protocol/vm';
import { type MemoryContractState, runWithMisses } from '../contract-state/index.js';
import { valueText } from '../vm/index.js';
import { type BroughtContract, type FuzzProgram } from './fuzz-programs.js';

/** Result of a program: a text that is equal for equal runs, and its violations. */
export interface FuzzRun {
  readonly ending: string;
  readonly text: string;
  readonly violations: readonly string[];
  /** Microseconds by the clock that was given. */
  readonly time: number;
  /** Objects held by the run at its end. */
  readonly held: unknown;
}

const signatures = [1, 2, 3].map((byte) => new Uint8Array(64).fill(byte));

/** Violations of a codec for these bytes, which must decode. */
const codecViolations = <T>(codec: Codec<T>, bytes: Uint8Array): string[] => {
  const value = decode(codec, bytes);
  const canonical = encode(codec, value);
  const again = decode(codec, canonical);
  return [
    ...(canonical.length <= bytes.length || codec === (contractCodec as unknown)
      ? []
      : ['the canonical form is longer']),
    ...(isDeepStrictEqual(again, value) ? [] : ['decodes to something else after encoding']),
    ...(isDeepStrictEqual(encode(codec, again), canonical) ? [] : ['the canonical form is not stable']),
  ];
};

/** Puts a contract of a program into the layer unchanged, without the checks of a creation. */
const bringContract = (layer: ContractLayer, contract: BroughtContract): void => {
  const code = ContractCode.of(decode(contractCodec, contract.code));
  const { id, immutableFields, mutableFields, amount, tokens } = contract;
  const outputReference = { hint: outputHint({ kind: 'p2c', contractId: id }), key: `9e${id.slice(2)}` };
  layer.putCode(code);
  const initialStateHash = initialStateHashOf(code.hash, immutableFields, mutableFields);
  const immutableStateHash = layer.putImmutableState({ codeHash: code.hash, initialStateHash, immutableFields });
  layer.putRecord(id, { mutableFields, outputReference, immutableStateHash });
  layer.putOutput(outputReference, { kind: 'contract', amount, contractId: id, tokens });
};

const hex = <T>(codec: Codec<T>, value: T): string => bytesToHex(encode(codec, value));

const changesText = ({ records, outputs, immutable, events }: ContractChanges): string =>
  [
    ...[...records].map(
      ([id, record]) =>
        `${id} ${record ? `${hex(valsCodec, record.mutableFields)} ${record.immutableStateHash} ${hex(outputReferenceCodec, record.outputReference)}` : 'removed'}`,
    ),
    ...[...outputs].map(([id, { output }]) => `${id} ${output ? hex(outputCodec, output) : 'removed'}`),
    ...[...immutable].map(([hash, value]) => `${hash} ${bytesToHex(value)}`),
    // Values in events may be shared and long: their sizes are sufficient.
    ...events.map(({ contractId, eventIndex, fields }) => `${contractId} ${eventIndex} ${estimatedSizeOf(fields)}`),
  ].join('\n');

type Totals = Map<string, bigint>;

const addTo = (totals: Totals, outputs: Iterable<Pick<Output, 'amount' | 'tokens'>>): Totals => {
  for (const { amount, tokens } of outputs) {
    totals.set(zeroHash, (totals.get(zeroHash) ?? 0n) + amount);
    for (const token of tokens) totals.set(token.id, (totals.get(token.id) ?? 0n) + token.amount);
  }
  return totals;
};

/** Maximum amount of coin: amounts that overflow are lost (protocol 05 §18 item 9). */
const mostCoin = 2n ** 256n - 1n;

/** Coin inputs equal outputs; no token increases, except those of contracts created by the run. */
const conservationViolations = (
  payable: boolean,
  transaction: TransactionEnvironment,
  { contractInputs, generatedOutputs, layer }: TransactionScriptResult,
  before: ContractLayer,
): string[] => {
  const spent = addTo(new Map(), [
    ...(payable ? transaction.inputs : []),
    ...contractInputs.map((reference) => before.contractOutput(reference)!),
  ]);
  const fee = payable ? transaction.gasPrice * BigInt(transaction.gasAmount) : 0n;
  const made = addTo(new Map([[zeroHash, fee]]), [...(payable ? transaction.fixedOutputs : []), ...generatedOutputs]);
  const created = new Set([...layer.changes().records.keys()].filter((id) => !before.exists(id)));
  for (const output of generatedOutputs) if (output.kind === 'contract') created.add(output.contractId);
  const coin = spent.get(zeroHash) ?? 0n;
  return [
    ...(coin > mostCoin || coin === made.get(zeroHash) ? [] : [`coin in ${coin}, coin out ${made.get(zeroHash)}`]),
    ...[...made]
      .filter(([id, amount]) => id !== zeroHash && !created.has(id) && amount > (spent.get(id) ?? 0n))
      .map(([id]) => `more of token ${id} than there was`),
  ];
};

const outcomeText = (outcome: RunOutcome<UnlockScriptResult | TransactionScriptResult>): string => {
  if (outcome.kind === 'aborted') return `aborted: ${outcome.why}`;
  if (outcome.kind !== 'succeeded') return `${outcome.gasLeft} ${outcome.kind} ${outcome.failure.text()}`;
  const results = outcome.results.map(valueText).join(', ');
  if ('signaturesTaken' in outcome) return `${outcome.gasLeft} ${outcome.signaturesTaken} [${results}]`;
  const { contractInputs, generatedOutputs, layer } = outcome;
  return [
    `${outcome.gasLeft} [${results}]`,
    ...contractInputs.map((reference) => hex(outputReferenceCodec, reference)),
    ...generatedOutputs.map((output) => hex(outputCodec, output)),
    changesText(layer.changes()),
  ].join('\n');
};

const gasViolations = (outcome: RunOutcome<object>, limit: number): string[] => {
  if (outcome.kind === 'aborted') return [];
  const { gasLeft } = outcome;
  return Number.isInteger(gasLeft) && gasLeft >= 0 && gasLeft <= limit ? [] : [`gas left ${gasLeft} of ${limit}`];
};

const endingOf = (outcome: RunOutcome<object>): string =>
  outcome.kind === 'failed' || outcome.kind === 'inactiveInstruction' ? outcome.failure.failure : outcome.kind;

/** Microseconds. */
export type Clock = () => number;

export const wallClock: Clock = () => performance.now() * 1000;

/** Processor time of this process; reading it is slow itself. */
export const processorClock: Clock = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** `body` and how long it took. */
const timed = <T>(clock: Clock, body: () => T): readonly [T, number] => {
  const before = clock();
  const result = body();
  return [result, clock() - before];
};

const runUnlockScript = (program: FuzzProgram, clock: Clock): FuzzRun => {
  const script = decode(statelessScriptCodec, program.code);
  const [outcome, time] = timed(clock, () =>
    executeUnlockScript({
      block: program.block,
      transaction: program.transaction,
      script,
      parameters: program.parameters,
      gasLimit: program.gasLimit,
      signatures,
      receivesResults: true,
    }),
  );
  const violations = [
    ...codecViolations(statelessScriptCodec, program.code),
    ...gasViolations(outcome, program.gasLimit),
  ];
  return { ending: endingOf(outcome), text: outcomeText(outcome), violations, time, held: outcome };
};

const runTransactionScript = (program: FuzzProgram, world: MemoryContractState, clock: Clock): FuzzRun => {
  const script = decode(statefulScriptCodec, program.code);
  // A new layer each time, because code objects hold results of selector searches.
  const layer = world.layer();
  for (const contract of program.contracts) bringContract(layer, contract);
  const before = changesText(layer.changes());
  const options = {
    block: program.block,
    transaction: program.transaction,
    script,
    gasLimit: program.gasLimit,
    scriptSignatures: [],
    endPhase: 'whole',
    receivesResults: true,
  } as const;
  const [outcome, time] = timed(clock, () => executeTransactionScript({ ...options, layer }));
  const stopped = runWithMisses(world, options, (another) => {
    for (const contract of program.contracts) bringContract(another, contract);
  });
  const text = outcomeText(outcome);
  const payable = (script.methods[0]!.assetModifier & 1) === 1;
  const violations = [
    ...codecViolations(statefulScriptCodec, program.code),
    ...program.contracts.flatMap(({ code }) => codecViolations(contractCodec, code)),
    ...gasViolations(outcome, program.gasLimit),
    ...(changesText(layer.changes()) === before ? [] : ['the layer below has changed']),
    ...(outcomeText(stopped.outcome) === text
      ? []
      : [`ends otherwise when it misses something ${stopped.misses} times`]),
    ...(outcome.kind === 'succeeded' ? conservationViolations(payable, program.transaction, outcome, layer) : []),
  ];
  return { ending: endingOf(outcome), text, violations, time, held: outcome };
};

/** Runs a program. Any error except a refusal to decode is a violation. */
export const runFuzzProgram = (program: FuzzProgram, world: MemoryContractState, clock = wallClock): FuzzRun => {
  try {
    return program.kind === 'unlock' ? runUnlockScript(program, clock) : runTransactionScript(program, world, clock);
  } catch (error) {
    if (error instanceof DecodeError) {
      return { ending: 'does not decode', text: error.message, violations: [], time: 0, held: undefined };
    }
    return {
      ending: 'crash',
      text: String(error),
      violations: [`crash: ${(error as Error).stack}`],
      time: 0,
      held: undefined,
    };
  }
};

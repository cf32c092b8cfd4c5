import { bytesToHex, decode, DecodeError, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { outputReferenceCodec } from '@shardnode/protocol/primitives';
import { statefulScriptCodec, statelessScriptCodec } from '@shardnode/protocol/script';
import { type LogEntry, stateHash } from '@shardnode/protocol/state';
import { outputCodec } from '@shardnode/protocol/transaction';
import { executeTransactionScript, executeUnlockScript, type RunOutcome } from '@shardnode/protocol/vm';
import { type MemoryContractState, runWithMisses } from '../contract-state/index.js';
import { type EventForm, type RunExpectation, type RunVector, type RunVectors } from './run-vectors.js';
import { blockEnvironmentOf, transactionEnvironmentOf, worldWith } from './run-world.js';
import { valueOfText, valueText } from './value-texts.js';

/** Result of a run, in the form of the vectors' expectations; `aborted` where the protocol has no result. */
export interface RunReport extends RunExpectation {
  readonly aborted?: string;
}

/** Symbol of the coin in the vectors' texts. */
const withCoin = (text: string): string => text.replaceAll('{COIN}', 'COIN').replaceAll('{coin}', 'coin');

const unsuccessful = (outcome: RunOutcome<object>): RunReport | undefined => {
  if (outcome.kind === 'succeeded') return undefined;
  if (outcome.kind === 'aborted') return { aborted: outcome.why };
  const { failure, gasLeft } = outcome;
  return {
    failure: failure.failure,
    text: withCoin(failure.text()),
    gasLeftAtFailure: gasLeft,
    ...(failure.breaking ? { breaking: true } : {}),
  };
};

const unlessEmpty = <T>(name: string, list: readonly T[]): { readonly [key: string]: readonly T[] } =>
  list.length === 0 ? {} : { [name]: list };

const eventForm = ({ contractId, eventIndex, fields }: LogEntry): EventForm => ({
  contractId,
  index: eventIndex,
  fields: fields.map(valueText),
});

interface Setting {
  readonly block: ReturnType<typeof blockEnvironmentOf>;
  readonly transaction: ReturnType<typeof transactionEnvironmentOf>;
  readonly signatures: readonly Uint8Array[];
  readonly gasLimit: number;
  readonly receivesResults: boolean;
}

const runUnlockScript = (vector: RunVector, setting: Setting): RunReport => {
  const script = decode(statelessScriptCodec, hexToBytes(vector.code));
  const parameters = (vector.args ?? []).map(valueOfText);
  const outcome = executeUnlockScript({ ...setting, script, parameters });
  if (outcome.kind !== 'succeeded') return unsuccessful(outcome)!;
  return { results: outcome.results.map(valueText), gasUsed: setting.gasLimit - outcome.gasLeft };
};

const runTransactionScript = (
  vector: RunVector,
  setting: Setting,
  world: MemoryContractState,
  memory: StateInMemory,
): RunReport => {
  const script = decode(statefulScriptCodec, hexToBytes(vector.code));
  const { signatures: scriptSignatures, ...rest } = setting;
  const { outcome, layer } = inMemory[memory](world, { ...rest, script, scriptSignatures, endPhase: 'whole' });
  if (outcome.kind !== 'succeeded') return unsuccessful(outcome)!;
  outcome.layer.keep();
  const changes = layer.changes();
  const state = world.apply(changes);
  return {
    results: outcome.results.map(valueText),
    gasUsed: setting.gasLimit - outcome.gasLeft,
    ...unlessEmpty(
      'contractInputs',
      outcome.contractInputs.map((it) => bytesToHex(encode(outputReferenceCodec, it))),
    ),
    ...unlessEmpty(
      'generatedOutputs',
      outcome.generatedOutputs.map((it) => bytesToHex(encode(outputCodec, it))),
    ),
    ...unlessEmpty('events', changes.events.map(eventForm)),
    outputRoot: state.outputRoot,
    contractRoot: state.contractRoot,
    stateHash: stateHash(state),
  };
};

/** The part of the state that is in memory when a run begins. The run misses the rest and goes on. */
export type StateInMemory = 'all' | 'nothing';

const inMemory: Readonly<Record<StateInMemory, typeof runWithMisses>> = {
  all: (world, options) => {
    const layer = world.layer();
    return { outcome: executeTransactionScript({ ...options, layer }), layer, misses: 0 };
  },
  nothing: runWithMisses,
};

/** Runs a vector with its own gas limit or another one. */
export const runVector = (
  vector: RunVector,
  defaults: RunVectors['defaults'],
  gasLimit: number = vector.gas,
  memory: StateInMemory = 'all',
): RunReport => {
  const tx = { ...defaults.tx, ...vector.tx };
  const setting: Setting = {
    block: blockEnvironmentOf({ ...defaults.env, ...vector.env }),
    transaction: transactionEnvironmentOf(tx),
    signatures: tx.signatures.map(hexToBytes),
    gasLimit,
    receivesResults: vector.asMain !== true,
  };
  try {
    if (vector.kind === 'unlock') return runUnlockScript(vector, setting);
    return runTransactionScript(vector, setting, worldWith(vector.contracts ?? []), memory);
  } catch (error) {
    if (error instanceof DecodeError) return { decodeError: true };
    throw error;
  }
};

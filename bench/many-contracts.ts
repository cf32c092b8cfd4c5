import { blake2bHash } from '@shardnode/protocol/crypto';
import { contractIdOf } from '@shardnode/protocol/address';
import { type Hash, outputHint } from '@shardnode/protocol/primitives';
import { type Val } from '@shardnode/protocol/script';
import {
  compareKeys,
  ContractCode,
  contractStateKey,
  contractStateValue,
  outputStateKey,
  outputStateValue,
  type TrieChange,
  trieFromEntries,
} from '@shardnode/protocol/state';
import { executeTransactionScript } from '@shardnode/protocol/vm';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { blockEnvironment, instruction as op, methodOf, transactionEnvironment } from '@shardnode/testing/builders';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import { isShort, median, type Row } from './rows.js';

const contractCount = Number(process.env['BENCH_CONTRACTS'] ?? (isShort ? 10_000 : 1_000_000));
const callsPerRound = 500;
const rounds = isShort ? 15 : 30;

const counter = ContractCode.of({
  fieldLength: 1,
  methods: [methodOf([op('LoadMutField', 0), op('U256Const1'), op('U256Add'), op('StoreMutField', 0)])],
});
const zero: Val = { type: 'U256', value: 0n };

const idOf = (number: number): Hash => contractIdOf(blake2bHash(new TextEncoder().encode('parent')), number, 0);

const sortedByKey = (changes: TrieChange[]): TrieChange[] => changes.sort((a, b) => compareKeys(a.key, b.key));

/** A state with so many contracts of the same code. */
const stateWith = (count: number): MemoryContractState => {
  const memory = new MemoryContractState();
  const layer = memory.layer();
  layer.putCode(counter);
  const immutable = { codeHash: counter.hash, initialStateHash: counter.hash, immutableFields: [] };
  const immutableStateHash = layer.putImmutableState(immutable);
  memory.immutables.add(layer.changes().immutable);
  const outputs: TrieChange[] = [];
  const records: TrieChange[] = [];
  for (let i = 0; i < count; i++) {
    const contractId = idOf(i);
    const outputReference = { hint: outputHint({ kind: 'p2c', contractId }), key: contractId };
    const output = { kind: 'contract', amount: 10n ** 17n, contractId, tokens: [] } as const;
    const record = { mutableFields: [zero], outputReference, immutableStateHash };
    outputs.push({ key: outputStateKey(outputReference), value: outputStateValue(output) });
    records.push({ key: contractStateKey(contractId), value: contractStateValue(record) });
  }
  const [outputTrie, recordTrie] = [outputs, records].map((changes) => trieFromEntries(sortedByKey(changes)));
  for (const { added } of [outputTrie!, recordTrie!]) memory.nodes.add(added);
  memory.state = { ...memory.state, outputRoot: outputTrie!.root, contractRoot: recordTrie!.root };
  return memory;
};

/** Microseconds of processor time a call of contract 0, its part of the new state included. */
const roundOn = (state: MemoryContractState): number => {
  const call = [op('U256Const0'), op('U256Const0'), op('BytesConst', hexToBytes(idOf(0))), op('CallExternal', 0)];
  const script = { methods: [methodOf(call)] };
  const began = process.cpuUsage();
  const layer = state.layer();
  for (let i = 0; i < callsPerRound; i++) {
    const outcome = executeTransactionScript({
      block: blockEnvironment,
      transaction: transactionEnvironment,
      layer,
      script,
      gasLimit: 100_000,
      scriptSignatures: [],
      endPhase: 'whole',
    });
    if (outcome.kind !== 'succeeded') throw new Error(`a call is ${outcome.kind}`);
    outcome.layer.keep();
  }
  state.apply(layer.changes());
  const { user, system } = process.cpuUsage(began);
  return (user + system) / callsPerRound;
};

/** Calls of one contract, alone and among very many. */
export const manyContractsRow = (): Row => {
  const alone = stateWith(1);
  const among = stateWith(contractCount);
  const times: Record<'alone' | 'among', number[]> = { alone: [], among: [] };
  // In turn, so that both meet the same machine; the first half warms up the code.
  for (let round = 0; round < 2 * rounds; round++) {
    times.alone.push(roundOn(alone));
    times.among.push(roundOn(among));
  }
  const [before, after] = [times.alone, times.among].map((all) => median(all.slice(rounds))) as [number, number];
  return {
    row: `calls among ${contractCount.toLocaleString('en-US')} contracts, against one alone`,
    figure: `${Math.round((100 * after) / before)} %`,
    bar: '120 %',
    beside: `${after.toFixed(1)} and ${before.toFixed(1)} µs a call, state included`,
  };
};

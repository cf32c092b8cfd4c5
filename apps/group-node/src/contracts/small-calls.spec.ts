import { describe, expect, it } from '@jest/globals';
import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type CallReply } from '@shardnode/messages';
import { encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash, outputHint, zeroHash } from '@shardnode/protocol/primitives';
import { bytesConstant, type Contract, u256Constant, type Val, valsCodec } from '@shardnode/protocol/script';
import {
  ContractCode,
  LoadedImmutables,
  LoadedNodes,
  loadMissing,
  loadMissingImmutables,
  StateMiss,
} from '@shardnode/protocol/state';
import { instruction, methodOf } from '@shardnode/testing/builders';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import { type CallJob } from './run-job.js';
import { RunMemory } from './run-memory.js';
import { SmallCalls } from './small-calls.js';

const contractId: Hash = '0a'.repeat(32);
const absentId: Hash = '0b'.repeat(32);
const five: Val = { type: 'U256', value: 5n };

const bySelector = (selector: number) => [
  u256Constant(0n),
  u256Constant(1n),
  bytesConstant(hexToBytes(contractId)),
  instruction('CallExternalBySelector', selector),
];
const selected = (selector: number) =>
  methodOf([instruction('MethodSelector', selector), instruction('LoadMutField', 0), instruction('Return')], {
    returnLength: 1,
  });
/** Counts to its argument; a round takes some 30 units of gas. */
const counting = methodOf(
  [
    u256Constant(0n),
    instruction('StoreLocal', 1),
    instruction('LoadLocal', 1),
    u256Constant(1n),
    instruction('U256Add'),
    instruction('StoreLocal', 1),
    instruction('LoadLocal', 1),
    instruction('LoadLocal', 0),
    instruction('U256Lt'),
    instruction('IfTrue', -8),
  ],
  { argsLength: 1, localsLength: 2 },
);
const methods = {
  reads: methodOf([instruction('LoadMutField', 0), instruction('Return')], { returnLength: 1 }),
  first: selected(11),
  second: selected(22),
  /** The cost of a search depends on the searches before it. */
  searches: methodOf([22, 11, 22].flatMap((selector) => [...bySelector(selector), instruction('Pop')])),
  searchesInVain: methodOf(bySelector(33)),
  writes: methodOf([u256Constant(6n), instruction('StoreMutField', 0)]),
  fails: methodOf([u256Constant(0n), u256Constant(1n), instruction('U256Sub'), instruction('Pop')]),
  counts: counting,
};
type Name = keyof typeof methods;
const names = Object.keys(methods) as Name[];
const contract: Contract = { fieldLength: 1, methods: Object.values(methods) };

/** The contract in a state, and a store of that state. */
const opened = () => {
  const memory = new MemoryContractState();
  const layer = memory.layer();
  const code = ContractCode.of(contract);
  const outputReference = { hint: outputHint({ kind: 'p2c', contractId }), key: contractId };
  layer.putCode(code);
  layer.putOutput(outputReference, { kind: 'contract', amount: 10n ** 18n, contractId, tokens: [] });
  const immutable = { codeHash: code.hash, initialStateHash: zeroHash, immutableFields: [] };
  layer.putRecord(contractId, {
    mutableFields: [five],
    outputReference,
    immutableStateHash: layer.putImmutableState(immutable),
  });
  const changes = layer.changes();
  memory.apply(changes);
  const pick = (hashes: readonly Hash[], get: (hash: Hash) => Uint8Array | undefined): Map<Hash, Uint8Array> =>
    new Map(hashes.flatMap((hash) => (get(hash) ? [[hash, get(hash)!]] : [])));
  const store = {
    loadNodes: async (hashes: readonly Hash[]) => pick(hashes, (hash) => memory.nodes.get(hash)),
    loadImmutables: async (hashes: readonly Hash[]) => pick(hashes, (hash) => changes.immutable.get(hash)),
  };
  const job = (name: Name, args: readonly Val[] = [], id = contractId): CallJob => ({
    kind: 'call',
    roots: memory.state,
    block: { networkId: 1, timestamp: 0n, target: 1n, blockHash: zeroHash, group: 0 },
    transactionId: zeroHash,
    request: {
      contractId: id,
      methodIndex: names.indexOf(name),
      args: encode(valsCodec, args),
      inputAssets: [],
      existingContracts: [],
    },
  });
  const elsewhere = new RunMemory(store);
  const whole = async (made: CallJob): Promise<CallReply> => {
    const result = await elsewhere.execute(made);
    if (result.kind !== 'call') throw new Error(`a call ended as ${result.kind}`);
    return result.reply;
  };
  return { store, job, whole };
};

/** Calls in place, with this gas limit, over an empty memory. */
const inPlace = ({ store }: ReturnType<typeof opened>, gas: number, rounds = 20, tickMs = 1_000, mostWaiting = 10) => {
  const [nodes, immutables] = [new LoadedNodes(), new LoadedImmutables()];
  const loaded = async <Result>(run: () => Result): Promise<Result> => {
    for (;;) {
      try {
        return run();
      } catch (error) {
        if (!(error instanceof StateMiss)) throw error;
        await loadMissing(store, nodes, error.nodeHashes);
        await loadMissingImmutables(store, immutables, error.immutableHashes);
      }
    }
  };
  const limits = { gas, rounds, tickMs, mostWaiting, knownLong: 2 };
  let now = 0;
  return new SmallCalls({ memory: { nodes, immutables, loaded } }, { monotonic: () => (now += 1) }, limits);
};

describe('small calls', () => {
  const state = opened();
  const { job, whole } = state;

  it('have the same result in place as on the thread', async () => {
    const jobs = [...names.filter((name) => name !== 'counts').map((name) => job(name)), job('counts', [five])];
    jobs.push(job('counts'), job('reads', [], absentId), job('reads', [five]));
    const small = inPlace(state, 25_000);
    const replies = [];
    for (const made of jobs) {
      const reply = await small.make(made);
      expect(reply).toEqual(await whole(made));
      replies.push(reply!.type);
    }
    expect(new Set(replies)).toEqual(new Set(['CallContractSucceeded', 'CallContractFailed']));
    // A second time, with the state that is in memory by then.
    for (const made of jobs) expect(await small.make(made)).toEqual(await whole(made));
  });

  it('end in place with exactly the gas that they use, and not with one unit less', async () => {
    for (const name of ['reads', 'searches', 'writes'] as const) {
      const reply = await whole(job(name));
      if (reply.type !== 'CallContractSucceeded') throw new Error(reply.error);
      expect(await inPlace(state, reply.gasUsed).make(job(name))).toEqual(reply);
      expect(await inPlace(state, reply.gasUsed - 1).make(job(name))).toBeUndefined();
    }
  });

  it('of a long method are recognised the next time, whatever their arguments', async () => {
    const small = inPlace(state, 25_000);
    expect(await small.make(job('counts', [{ type: 'U256', value: 10n ** 9n }]))).toBeUndefined();
    expect(await small.make(job('counts', [five]))).toBeUndefined();
    expect(await small.make(job('reads'))).toEqual(await whole(job('reads')));
  });

  it('are given up when they miss too much of the state', async () => {
    expect(await inPlace(state, 25_000, 1).make(job('reads'))).toBeUndefined();
  });

  it('wait for another event-loop tick when there are many, up to a bound', async () => {
    const small = inPlace(state, 25_000, 20, 1);
    // Each round loads some of the state: a call that restarts needs time in its own tick as well.
    while (!(await small.make(job('reads')))) await yieldToEventLoop();
    await yieldToEventLoop();
    const reply = await whole(job('reads'));
    const replies = await Promise.all(Array.from({ length: 12 }, () => small.make(job('reads'))));
    expect(replies.filter((made) => made === undefined)).toHaveLength(1);
    expect(replies.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => reply));
  });

  it('carry little data: larger ones are not started', async () => {
    const small = inPlace(state, 25_000);
    const { request, ...conditions } = job('reads');
    const naming = (count: number) => ({
      ...request,
      existingContracts: Array.from({ length: count }, () => contractId),
    });
    const many = naming(5);
    const long = { ...request, args: new Uint8Array(2_000) };
    expect(await small.make({ ...conditions, request: many })).toBeUndefined();
    expect(await small.make({ ...conditions, request: naming(4) })).toBeDefined();
    expect(await small.make({ ...conditions, request: long })).toBeUndefined();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type RunReply, type TestContractRequest } from '@shardnode/messages';
import { documentedText } from '@shardnode/http';
import { addressOf } from '@shardnode/protocol/address';
import { genesisBlock } from '@shardnode/protocol/block';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type Hash, zeroHash } from '@shardnode/protocol/primitives';
import {
  bytesConstant,
  type Contract,
  contractCodec,
  statefulScriptCodec,
  u256Constant,
  valsCodec,
} from '@shardnode/protocol/script';
import { emptyWorldState } from '@shardnode/protocol/state';
import { unlockScriptCodec } from '@shardnode/protocol/transaction';
import { instruction, methodOf } from '@shardnode/testing/builders';
import { RunMemory } from '../src/contracts/run-memory.js';
import { developmentKeys, testKeyOfGroup, type TestKey } from '@shardnode/testing/keys';
import { lockupHex, TestNetwork } from './support/network.js';

/** Counts to `rounds`; a round takes some 30 units of gas. */
const counting = (rounds: bigint): Contract => ({
  fieldLength: 0,
  methods: [
    methodOf(
      [
        u256Constant(0n),
        instruction('StoreLocal', 0),
        instruction('LoadLocal', 0),
        u256Constant(1n),
        instruction('U256Add'),
        instruction('StoreLocal', 0),
        instruction('LoadLocal', 0),
        u256Constant(rounds),
        instruction('U256Lt'),
        instruction('IfTrue', -8),
      ],
      { localsLength: 1 },
    ),
  ],
});
const none = encode(valsCodec, []);
const testOf = (contract: Contract): TestContractRequest => ({
  methodIndex: 0,
  args: none,
  inputAssets: [],
  contract: {
    contractId: zeroHash,
    code: encode(contractCodec, contract),
    immutableFields: none,
    mutableFields: none,
    amount: '1000000000000000000',
    tokens: [],
  },
  existingContracts: [],
});
const codeOf = (error: unknown): unknown => (error instanceof ServiceError ? [error.kind, error.code] : error);

describe('runs of contracts on a node', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await TestNetwork.open();
  });
  afterAll(() => network.close());
  const test = (contract: Contract): Promise<RunReply> =>
    network.client.request(0, 'read.contract.test', testOf(contract), { deadlineMs: 60_000 });

  it('others are answered while all gas is used', async () => {
    const ended: string[] = [];
    const runs = Array.from({ length: 4 }, async () => {
      const error = await test(counting(10n ** 9n)).catch((thrown: unknown) => thrown);
      ended.push('run');
      return codeOf(error);
    });
    const asked = Array.from({ length: 20 }, async () => {
      const reply = await network.client.request(0, 'read.chain.info', { from: 0, to: 0 });
      ended.push('read');
      return reply;
    });
    expect(await Promise.all(asked)).toHaveLength(20);
    expect(ended.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'read'));
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 4 }, () => ['refused', 'ContractTestFailed']));
  });

  it('what is more than can be answered in time is told when to come back; the rest is answered', async () => {
    const results = await Promise.allSettled(Array.from({ length: 300 }, () => test(counting(1n))));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as ServiceError] : []));
    expect(new Set(refused.map(({ code, kind }) => `${kind} ${code}`))).toEqual(new Set(['throttled TooManyRuns']));
    expect(refused.map(({ data }) => data.retryAfterSeconds)).toEqual(refused.map(() => 1));
    expect(refused).toHaveLength(96);
    expect((await test(counting(1n))).gasUsed).toBeGreaterThan(0);
  });
});

describe('runs that fail', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'off' });
  });
  afterAll(() => network.close());

  const failing: Contract = {
    fieldLength: 2,
    methods: [methodOf([instruction('Pop')], { argsLength: 1, localsLength: 1 }), methodOf([])],
  };
  const fields = encode(
    valsCodec,
    [true, false].map((value) => ({ type: 'Bool' as const, value })),
  );
  const one = { ...testOf(failing).contract, mutableFields: fields };
  const asset = (amount: string) => ({ lockupScript: lockupHex(lockup), amount, tokens: [] });
  const lockup = testKeyOfGroup(0).lockupScript;

  it.each<[string, Partial<TestContractRequest>, string, string]>([
    [
      'InvalidMethodIndex',
      { methodIndex: 2 },
      'There is no method 2: the contract has 2 methods, counted from 0',
      'Invalid method index 2',
    ],
    [
      'InvalidArguments',
      {},
      'Method 0 takes 1 argument, got 0; the values of an array count one by one',
      'The number of parameters is different from the number specified by the target method',
    ],
    [
      'InvalidFieldLength',
      { methodIndex: 1, existingContracts: [one, { ...one, mutableFields: none }] },
      'The contract existingContracts[1] has 2 fields, got 0 immutable and 0 mutable ones; the values of an array count one by one',
      'Invalid field length, expect 2, have 0 immutable fields and 0 mutable fields',
    ],
    [
      'TestFeeNotCovered',
      { methodIndex: 1, inputAssets: [asset('100000000000000000')] },
      'The first input asset pays for the run: it has 0.1 {COIN} (100000000000000000 atto{Coin}), expected at least 0.5 {COIN} (500000000000000000 atto{Coin})',
      'undefined',
    ],
    [
      'ContractTestFailed',
      { args: encode(valsCodec, [{ type: 'Bool', value: true }]) },
      'The method fails: stack underflow',
      'VM execution error: StackUnderflow',
    ],
  ])('%s says what was found and what is expected', async (code, request, detail, documented) => {
    const asked = { ...testOf(failing), contract: one, ...request };
    const error = (await network.client
      .request(0, 'read.contract.test', asked)
      .catch((thrown: unknown) => thrown)) as ServiceError;
    expect([error.code, error.detail]).toEqual([code, detail]);
    expect(String(documentedText(code, error.data))).toBe(documented);
  });

  it('calls: neither contract nor block is there, or the block is of another chain', async () => {
    const contractId = `${'11'.repeat(31)}00`;
    const call = { contractId, methodIndex: 0, args: none, inputAssets: [], existingContracts: [] };
    const ofGroup1 = genesisBlock(developmentNetwork, { from: 1, to: 1 }).header.hash;
    const ofGroup0 = genesisBlock(developmentNetwork, { from: 0, to: 0 }).header.hash;
    const unknown = `${'22'.repeat(31)}00`;
    const blocks = [undefined, ofGroup0, ofGroup1, unknown];
    const calls = blocks.map((worldStateBlockHash) => ({
      ...call,
      ...(worldStateBlockHash && { worldStateBlockHash }),
    }));
    const { results } = await network.client.request(0, 'read.contract.call', { calls });
    const address = addressOf({ kind: 'p2c', contractId });
    const noContract = `There is no contract ${address} in this state: check its address, and whether it was deployed by then`;
    expect(results).toEqual([
      { type: 'CallContractFailed', error: noContract, code: 'ContractNotFound', facts: { contractId } },
      { type: 'CallContractFailed', error: noContract, code: 'ContractNotFound', facts: { contractId } },
      {
        type: 'CallContractFailed',
        error: `Block ${ofGroup1} is of the chain from group 1 to group 1: expected one of group 0 to itself`,
        code: 'NoState',
        facts: { blockHash: ofGroup1 },
      },
      {
        type: 'CallContractFailed',
        error: `There is no block ${unknown}`,
        code: 'BlockNotFound',
        facts: { blockHash: unknown },
      },
    ]);
  });
});

describe('scripts that are tried for those who build with them', () => {
  let network: TestNetwork;
  let key: TestKey;
  beforeAll(async () => {
    network = await TestNetwork.open();
    key = (await developmentKeys())[0]!;
  });
  afterAll(() => network.close());

  it('have turns of their own: others are answered between them, and one too many is told when to come back', async () => {
    const script = encode(statefulScriptCodec, { methods: counting(10n ** 9n).methods });
    const build = () =>
      network.client.request(0, 'read.building.execute-script', {
        lockupScript: lockupHex(key.lockupScript),
        unlockScript: bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey: key.publicKey })),
        script,
        tokens: [],
      });
    let ended = 0;
    const builds = Array.from({ length: 120 }, async () => {
      const outcome = await build().then(
        () => 'built',
        (error: unknown) => codeOf(error),
      );
      ended += 1;
      return String(outcome);
    });
    // All of these came in one turn of the event loop: in each of the next ones at most one has been tried.
    for (let turn = 0; turn < 10; turn++) await yieldToEventLoop();
    expect(ended).toBeLessThan(19 + 12);
    const outcomes = await Promise.all(builds);
    const refused = outcomes.filter((outcome): boolean => outcome === 'throttled,TooManyRuns');
    expect(refused).toHaveLength(19);
    expect(new Set(outcomes.filter((outcome) => !refused.includes(outcome))).size).toBe(1);
    expect(outcomes).not.toContain('built');
  });
});

describe('a run that misses something again and again', () => {
  const { state, nodes } = emptyWorldState();
  const stored = {
    loadNodes: async () => nodes,
    loadImmutables: async () => new Map<Hash, Uint8Array>(),
  };
  const conditions = {
    roots: state,
    block: { networkId: 1, timestamp: 0n, target: 1n, blockHash: zeroHash, group: 0 },
    transactionId: zeroHash,
  };
  const call = { contractId: '11'.repeat(32), methodIndex: 0, args: none, inputAssets: [], existingContracts: [] };

  it('is made when it is there, and given up after so much time at work', async () => {
    let now = 0;
    const clock = () => (now += 10);
    const patient = new RunMemory(stored, clock);
    expect(await patient.execute({ kind: 'call', request: call, ...conditions })).toMatchObject({
      reply: { type: 'CallContractFailed', code: 'ContractNotFound' },
    });
    const hasty = new RunMemory(stored, clock, { rounds: 1_000, milliseconds: 10 });
    expect(await hasty.execute({ kind: 'call', request: call, ...conditions })).toMatchObject({
      reply: { type: 'CallContractFailed', error: expect.stringContaining('given up') },
    });
    const other = bytesConstant(hexToBytes(call.contractId));
    const body = [other, instruction('ContractExists'), instruction('Pop')];
    const reading: Contract = { fieldLength: 0, methods: [methodOf(body)] };
    expect(await patient.execute({ kind: 'test', request: testOf(reading), ...conditions })).toMatchObject({
      kind: 'test',
    });
    const few = new RunMemory(stored, clock, { rounds: 1, milliseconds: 1_000 });
    expect(await few.execute({ kind: 'test', request: testOf(reading), ...conditions })).toMatchObject({
      kind: 'error',
      error: { body: { code: 'RunTooLong' } },
    });
  });
});

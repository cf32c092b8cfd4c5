import { fc } from '@shardnode/testing/properties';
import { describe, expect, it } from '@jest/globals';
import { type TestContractRequest } from '@shardnode/messages';
import { encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash, zeroHash } from '@shardnode/protocol/primitives';
import { contractCodec, type Method, type Val, valsCodec } from '@shardnode/protocol/script';
import { emptyWorldState } from '@shardnode/protocol/state';
import { instruction } from '@shardnode/testing/builders';
import { developmentKeys } from '@shardnode/testing/keys';
import { RunMemory } from '../src/contracts/run-memory.js';
import { lockupHex } from './support/network.js';

/** Values that a client may send and no contract expects. */
const most = (2n ** 256n - 1n).toString();
const ids = [zeroHash, '11'.repeat(32), `${'22'.repeat(31)}00`, 'ff'.repeat(32)];
const amount = fc.constantFrom('0', '1', '999999999999999', '1000000000000000000', '500000000000000000', most);
const tokens = fc.array(fc.record({ id: fc.constantFrom(...ids), amount }), { maxLength: 10 });
const asset = { amount, tokens };
const value: fc.Arbitrary<Val> = fc.oneof(
  fc.bigInt(0n, 2n ** 256n - 1n).map((value): Val => ({ type: 'U256', value })),
  fc.bigInt(-(2n ** 255n), 2n ** 255n - 1n).map((value): Val => ({ type: 'I256', value })),
  fc.uint8Array({ maxLength: 40 }).map((value): Val => ({ type: 'ByteVec', value })),
  fc.boolean().map((value): Val => ({ type: 'Bool', value })),
);
/** Mostly the first one, so that runs get somewhere. */
const mostly = <Value>(usual: Value, ...odd: readonly fc.Arbitrary<Value>[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 6 * odd.length, arbitrary: fc.constant(usual) }, ...odd);
const values = mostly(
  encode(valsCodec, []),
  fc.array(value, { maxLength: 3 }).map((list) => encode(valsCodec, list)),
);
const body = fc.array(
  fc.constantFrom(
    instruction('SelfContractId'),
    instruction('SelfAddress'),
    instruction('U256Const1'),
    instruction('U256Const', 2n ** 256n - 1n),
    instruction('BytesConst', hexToBytes(ids[2]!)),
    instruction('LoadImmField', 0),
    instruction('LoadMutField', 255),
    instruction('StoreMutField', 0),
    instruction('CallLocal', 0),
    instruction('CallExternal', 1),
    instruction('DestroySelf'),
    instruction('TransferCoinFromSelf'),
    instruction('CopyCreateContract'),
    instruction('CreateContractAndTransferToken'),
    instruction('MigrateSimple'),
    instruction('BlockHash'),
    instruction('Log2'),
    instruction('Dup'),
    instruction('Return'),
  ),
  { maxLength: 8 },
);
const small = mostly(0, fc.constantFrom(1, 2, 255, 65_535));
const method = fc
  .record({
    isPublic: mostly(true, fc.constant(false)),
    assetModifier: fc.constantFrom(0, 1, 2, 3),
    argsLength: small,
    localsLength: small,
    returnLength: small,
    instructions: body,
  })
  .map((shape) => shape as Method);
const contract = fc
  .record({
    fieldLength: mostly(0, fc.constantFrom(1, 3, 255)),
    methods: fc.array(method, { minLength: 1, maxLength: 3 }),
  })
  .map((shape) => encode(contractCodec, shape));
const item = fc.record({
  contractId: fc.constantFrom(...ids),
  code: contract,
  immutableFields: values,
  mutableFields: values,
  ...asset,
});

describe('tests of contracts that make no sense', () => {
  const { state, nodes } = emptyWorldState();
  const memory = new RunMemory({
    loadNodes: async () => nodes,
    loadImmutables: async () => new Map<Hash, Uint8Array>(),
  });
  const key = developmentKeys();

  it('are answered or refused, and never a fault', async () => {
    const [owner] = await key;
    const request = fc.record<TestContractRequest>(
      {
        methodIndex: mostly(0, fc.constantFrom(1, -1, 2 ** 31 - 1, -(2 ** 31))),
        args: values,
        inputAssets: fc.array(fc.record({ lockupScript: fc.constant(lockupHex(owner!.lockupScript)), ...asset }), {
          maxLength: 3,
        }),
        contract: item,
        existingContracts: fc.array(item, { maxLength: 3 }),
        callerId: fc.constantFrom(...ids),
      },
      { requiredKeys: ['methodIndex', 'args', 'inputAssets', 'contract', 'existingContracts'] },
    );
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const block = { networkId: 1, timestamp: 2n ** 63n - 1n, target: 1n, blockHash: zeroHash, group: 0 };
        const result = await memory.execute({
          kind: 'test',
          request: sent,
          roots: state,
          block,
          transactionId: zeroHash,
        });
        outcomes.add(result.kind === 'error' ? `${result.error.kind} ${result.error.body.code}` : result.kind);
      }),
      { numRuns: 1_500 },
    );
    expect([...outcomes].sort()).toEqual([
      'refused ContractTestFailed',
      'refused InvalidArguments',
      'refused InvalidFieldLength',
      'refused InvalidMethodIndex',
      'refused TestFeeNotCovered',
      'test',
    ]);
  });
});

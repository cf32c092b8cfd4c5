import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { type ContractNames, type FeedVal } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { djb } from '@shardnode/protocol/crypto';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { contractCodec, instructionByCode, type Method } from '@shardnode/protocol/script';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type ContractSource, metadataJob } from '../src/index.js';
import { openEmbedded, type TestDatabase } from './support/databases.js';
import { runJob } from './support/run-job.js';

const groups = 4;
const clock = createStoppedClock();
/** Ids of tokens of the groups 1, 2 and 200. */
const ids = { one: `${'a1'.repeat(31)}01`, two: `${'b2'.repeat(31)}02`, none: `${'c3'.repeat(31)}c8` };
const addressOfToken = (id: string): string => addressOf({ kind: 'p2c', contractId: id });

let opened: TestDatabase;
/** Group-nodes that do not answer. */
let silent: number[] = [];
let unsynced: number[] = [];
let asked: number[] = [];
let isKnown = true;

const groupOf = (address: string): number | undefined =>
  ({ [addressOfToken(ids.one)]: 1, [addressOfToken(ids.two)]: 2 })[address];
const answer = <T>(address: string, value: T): T => {
  const group = groupOf(address)!;
  asked.push(group);
  if (silent.includes(group)) throw new ServiceError('unavailable', 'NoResponder', 'away');
  if (!isKnown) throw new ServiceError('not-found', 'UnknownContract', 'there is no such contract');
  return value;
};
const source: ContractSource = {
  groupOfContract: groupOf,
  isSynced: async (group) => !unsynced.includes(group),
  contractState: async (address) =>
    answer(address, { immFields: [{ type: 'ByteVec', value: '414c50480001' }] } as never),
  contractCalls: async (address) =>
    answer(address, [
      { ok: true, returns: [{ type: 'ByteVec', value: '5454' }] },
      { ok: true, returns: [{ type: 'ByteVec', value: '54657374' }] },
      { ok: true, returns: [{ type: 'U256', value: '6' }] },
    ]),
};
const run = (): Promise<void> => runJob(metadataJob(source), { database: opened.database, groups, clock });
const tokens = (): Promise<readonly unknown[]> =>
  opened.database.query(
    'tokens-of-test',
    `SELECT encode(substring(token from 1 for 1), 'hex') AS id, interface_id AS "interfaceId", metadata_state AS state,
       (SELECT symbol FROM explorer.fungible_metadata m WHERE m.token_id = t.token_id) AS symbol
     FROM explorer.tokens t ORDER BY token`,
  );
const token = (id: 'a1' | 'b2' | 'c3', state: number, interfaceId: string | null, symbol: string | null = null) => ({
  id,
  interfaceId,
  state,
  symbol,
});

beforeAll(async () => {
  opened = await openEmbedded();
});
beforeEach(async () => {
  [silent, unsynced, asked, isKnown] = [[], [], [], true];
  const list = Object.values(ids);
  await opened.database.script(`
    TRUNCATE explorer.tokens, explorer.contracts, explorer.addresses, explorer.fungible_metadata RESTART IDENTITY CASCADE;
    INSERT INTO explorer.tokens (token, last_tx_id, tx_count) VALUES ${list.map((id) => `(decode('${id}', 'hex'), 5, 1)`).join(', ')};
    INSERT INTO explorer.addresses (address) VALUES ${list.map((id) => `('${addressOfToken(id)}')`).join(', ')};
    INSERT INTO explorer.contracts (contract_id, creation_tx_id, creation_order, metadata_state)
      SELECT address_id, 1, 0, 1 FROM explorer.addresses`);
});
afterAll(() => opened.close());

describe('the metadata job', () => {
  it('stores interfaces and metadata; a token whose id names no group has none', async () => {
    await run();
    expect(await tokens()).toEqual([token('a1', 1, '0001', 'TT'), token('b2', 1, '0001', 'TT'), token('c3', 1, '')]);
    asked = [];
    await run();
    expect(asked).toEqual([]);
  });

  describe('of a token that follows no standard', () => {
    const methods = ['getName()->(ByteVec)', undefined, 'getDecimals()->(U256)', 'getSymbol()->(ByteVec)'];
    const methodOf = (signature: string | undefined): Method => ({
      isPublic: true,
      assetModifier: 0,
      argsLength: 0,
      localsLength: 0,
      returnLength: 1,
      instructions:
        signature === undefined
          ? []
          : [
              {
                code: instructionByCode.findIndex((each) => each?.name === 'MethodSelector'),
                operand: djb(Buffer.from(signature)),
              },
            ],
    });
    const bytecodeOf = (signatures: readonly (string | undefined)[]): string =>
      bytesToHex(encode(contractCodec, { fieldLength: 0, methods: signatures.map(methodOf) }));
    const values: Readonly<Record<number, FeedVal>> = {
      0: { type: 'ByteVec', value: '54657374' },
      2: { type: 'U256', value: '6' },
      3: { type: 'ByteVec', value: '5454' },
    };
    const named = (name: string, returns: string): ContractNames['functions'][number] => ({
      name,
      isPublic: true,
      usePreapprovedAssets: false,
      params: [],
      returns: [returns],
    });
    const source = [named('getName', 'ByteVec'), named('f', 'U256'), named('g', 'U256'), named('getSymbol', 'ByteVec')];

    it.each([
      ['its code', methods, undefined, ['TT', '6']],
      ['its code without decimals', [methods[0], undefined, undefined, methods[3]], undefined, ['TT', '0']],
      ['its source', [undefined, undefined, undefined, undefined], source, ['TT', '0']],
      ['nothing without a symbol', [methods[0], undefined, methods[2]], source.slice(0, 3), undefined],
      ['nothing', [undefined], undefined, undefined],
    ] as const)('reads the names that %s says', async (_what, signatures, functions, expected) => {
      const state = { immFields: [], codeHash: 'code', bytecode: bytecodeOf(signatures) };
      const contracts: ContractSource = {
        groupOfContract: groupOf,
        isSynced: async () => true,
        contractState: async () => state as never,
        contractCalls: async (_address, indexes) => indexes.map((index) => ({ ok: true, returns: [values[index]!] })),
      };
      const names = {
        contractOf: async (code: string) =>
          code === 'code' && functions ? { contract: 'Faucet', functions: [...functions], events: [] } : undefined,
      };
      await runJob(metadataJob(contracts, names), { database: opened.database, groups, clock });
      const [symbol] = expected ?? [null];
      expect(await tokens()).toEqual([token('a1', 1, '', symbol), token('b2', 1, '', symbol), token('c3', 1, '')]);
      const rows = await opened.database.query<{ name: string; decimals: string }>(
        'metadata-of-test',
        'SELECT name, decimals::text FROM explorer.fungible_metadata',
      );
      expect(rows).toEqual(expected ? Array(2).fill({ name: 'Test', decimals: expected[1] }) : []);
    });
  });

  it('does not ask a silent group-node again in a run, and tries later, with growing pauses', async () => {
    silent = [1];
    await run();
    expect(await tokens()).toEqual([token('a1', 0, null), token('b2', 1, '0001', 'TT'), token('c3', 1, '')]);
    silent = [];
    for (const pause of [30_000, 60_000]) {
      asked = [];
      await run();
      expect(asked).toEqual([]);
      silent = pause === 30_000 ? [1] : [];
      clock.setWallClock(clock.now() + pause);
      await run();
      expect(asked.length).toBeGreaterThan(0);
    }
    expect(await tokens()).toContainEqual(token('a1', 1, '0001', 'TT'));
  });

  it('asks a silent group-node once in a run, and one that does not know a contract about the next one', async () => {
    await opened.database.script('UPDATE explorer.contracts SET metadata_state = 0');
    silent = [1];
    await run();
    expect(asked.filter((group) => group === 1)).toEqual([1]);
    [silent, asked, isKnown] = [[], [], false];
    clock.setWallClock(clock.now() + 30_000);
    await run();
    expect(asked.filter((group) => group === 1)).toEqual([1, 1]);
  });

  it('waits for a group-node that is not synced, and for a contract that it does not have yet', async () => {
    unsynced = [1];
    await run();
    expect(await tokens()).toContainEqual(token('a1', 0, null));
    unsynced = [];
    isKnown = false;
    clock.setWallClock(clock.now() + 30_000);
    await run();
    expect(await tokens()).toContainEqual(token('a1', 0, null));
    isKnown = true;
    clock.setWallClock(clock.now() + 60_000);
    await run();
    expect(await tokens()).toContainEqual(token('a1', 1, '0001', 'TT'));
  });

  it('asks nobody about a contract that is gone', async () => {
    await opened.database.script('UPDATE explorer.contracts SET destruction_tx_id = 3');
    await run();
    expect(asked).toEqual([]);
    expect(await tokens()).toEqual([token('a1', 1, ''), token('b2', 1, ''), token('c3', 1, '')]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { addressOf } from '@shardnode/protocol/address';
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

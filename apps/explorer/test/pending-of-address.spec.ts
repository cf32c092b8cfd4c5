import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { developmentKeys } from '@shardnode/testing/keys';
import { observing, type Statement } from './support/observed-statements.js';
import { type Explorer, openExplorer } from './support/open-explorer.js';

const count = 130;
/** Hashes of the transactions that were seen last, the newest one at `newest`. */
const hashesFrom = (newest: number, length: number): string[] =>
  Array.from({ length }, (_, i) => (newest - i).toString(16).padStart(64, '0'));

describe('the pending transactions of an address', () => {
  let explorer: Explorer;
  let address: string;
  let statements: Statement[];
  beforeAll(async () => {
    explorer = await openExplorer(
      4,
      observing((statement) => statements.push(statement)),
    );
    address = (await developmentKeys())[0]!.address;
    await explorer.database.script(`
      INSERT INTO explorer.pending_txs (hash, chain_from, chain_to, gas_amount, gas_price, last_seen, inputs, outputs)
        SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), 0, 0, 1, 1, n, '[]', '[]' FROM generate_series(1, ${count}) n;
      INSERT INTO explorer.pending_tx_addresses SELECT '${address}', hash FROM explorer.pending_txs`);
  });
  afterAll(() => explorer.close());
  beforeEach(() => {
    statements = [];
  });

  const send = (path: string) => fetch(`http://127.0.0.1:${explorer.api.port}/addresses/${address}/${path}`);
  const list = async (query = ''): Promise<string[]> => {
    const answer = await send(`mempool/transactions${query}`);
    return ((await answer.json()) as { readonly hash: string }[]).map(({ hash }) => hash);
  };
  /** Rows that the database may return for the list. */
  const mostRows = (): unknown[] =>
    statements.filter(({ name }) => name === 'pending-of-address').map(({ values }) => values[1]);

  it('are the newest 100, and no more are read', async () => {
    expect(await list()).toEqual(hashesFrom(count, 100));
    expect(mostRows()).toEqual([100]);
  });

  it('go on by pages', async () => {
    expect(await list('?page=2')).toEqual(hashesFrom(30, 30));
    expect(await list('?page=2&limit=7')).toEqual(hashesFrom(count - 7, 7));
    expect(await list('?limit=0')).toEqual([]);
  });

  it('are never more than 100', async () => {
    expect((await send('mempool/transactions?limit=101')).status).toBe(400);
  });

  it('are 20 of its overview, and no more are read', async () => {
    const { pending } = (await (await send('overview')).json()) as { readonly pending: unknown[] };
    expect(pending).toHaveLength(20);
    expect(mostRows()).toEqual([20]);
  });
});

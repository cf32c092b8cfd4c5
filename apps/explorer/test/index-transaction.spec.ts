import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { textArray } from '@shardnode/core/database';
import { type IndexTransaction, type InTransaction, transactionsOver } from '../src/index-store/index-transaction.js';
import { deletePending } from '../src/index-store/pending.js';
import { openEmbedded, type TestDatabase } from './support/databases.js';

describe('writes that nobody waits for', () => {
  let opened: TestDatabase;
  let inTransaction: InTransaction;
  beforeAll(async () => {
    opened = await openEmbedded();
    inTransaction = transactionsOver(opened.database);
  });
  beforeEach(() => opened.database.script(`DELETE FROM ${opened.database.schema}.addresses`));
  afterAll(() => opened.close());

  const add = (transaction: IndexTransaction, address: string): void =>
    transaction.write('newAddresses', [textArray([address])]);

  const addresses = async (transaction: IndexTransaction): Promise<string[]> => {
    const text = `SELECT address FROM ${transaction.schema}.addresses ORDER BY address`;
    return (await transaction.query<{ address: string }>('addresses', text)).map(({ address }) => address);
  };

  it('come before the statements that follow them, and are stored with the transaction', async () => {
    const seen = await inTransaction(async (transaction) => {
      add(transaction, 'one');
      const first = await addresses(transaction);
      add(transaction, 'two');
      return [first, await addresses(transaction)];
    });
    expect(seen).toEqual([['one'], ['one', 'two']]);
    await inTransaction(async (transaction) => add(transaction, 'three'));
    expect(await inTransaction(addresses)).toEqual(['one', 'three', 'two']);
  });

  it.each([
    ['nothing follows', async () => undefined],
    ['what follows fails for it', addresses],
    ['others follow', async (transaction: IndexTransaction) => add(transaction, 'later')],
  ])('name the cause when one of them fails and %s, and nothing is stored', async (_, rest) => {
    const failing = inTransaction(async (transaction) => {
      add(transaction, 'before');
      transaction.write('newAddresses', ['no array']);
      await rest(transaction);
    });
    await expect(failing).rejects.toThrow('malformed array literal: "no array"');
    expect(await inTransaction(addresses)).toEqual([]);
  });

  it('do not hide what else went wrong', async () => {
    const failing = inTransaction(async (transaction) => {
      add(transaction, 'before');
      await deletePending(transaction, ['ab'.repeat(32)]);
      throw new RangeError('a block does not continue its chain');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await inTransaction(addresses)).toEqual([]);
  });
});

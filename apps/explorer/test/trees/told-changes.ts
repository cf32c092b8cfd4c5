import { type Database } from '@shardnode/core/database';
import { type IndexChange } from '../../src/index.js';

/** The transactions of an index, and the addresses that they touch. */
interface Touched {
  readonly transactions: ReadonlySet<string>;
  /** `hash address` */
  readonly pairs: ReadonlySet<string>;
}

export const touchedIn = async (database: Database): Promise<Touched> => {
  const { schema } = database;
  const transactions = await database.query<{ hash: string }>(
    'hashes',
    `SELECT encode(hash, 'hex') AS hash FROM ${schema}.transactions`,
  );
  const pairs = await database.query<{ pair: string }>(
    'pairs',
    `SELECT encode(t.hash, 'hex') || ' ' || a.address AS pair FROM ${schema}.address_txs x
     JOIN ${schema}.transactions t ON t.tx_id = x.tx_id JOIN ${schema}.addresses a ON a.address_id = x.address_id`,
  );
  return {
    transactions: new Set(transactions.map(({ hash }) => hash)),
    pairs: new Set(pairs.map(({ pair }) => pair)),
  };
};

const pairsOf = (told: IndexChange['confirmed']): ReadonlySet<string> =>
  new Set(told.flatMap(({ hash, addresses }) => addresses.map((address) => `${hash} ${address}`)));

/** What a step did to the transactions of addresses and did not tell, or told and did not do (protocol 08 §6). */
export const untold = (before: Touched, after: Touched, change: IndexChange): string[] => {
  const [confirmed, reverted] = [pairsOf(change.confirmed), pairsOf(change.reverted)];
  const isGone = (pair: string): boolean => !after.transactions.has(pair.split(' ')[0]!);
  return [
    ...[...after.pairs]
      .filter((pair) => !before.pairs.has(pair) && !confirmed.has(pair))
      .map((pair) => `not told: ${pair}`),
    ...[...confirmed].filter((pair) => !after.pairs.has(pair)).map((pair) => `told in vain: ${pair}`),
    ...[...before.pairs].filter((pair) => isGone(pair) && !reverted.has(pair)).map((pair) => `not reverted: ${pair}`),
    ...[...reverted].filter((pair) => !before.pairs.has(pair)).map((pair) => `reverted in vain: ${pair}`),
  ];
};

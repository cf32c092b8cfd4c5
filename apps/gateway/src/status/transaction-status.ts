import { ServiceError } from '@shardnode/core/errors';
import { type Brand, brandedText, type TransactionStatusAnswer } from '@shardnode/http';
import { type GroupClient, type OptionalChain, type TransactionStatusReply } from '@shardnode/messages';
import { askedAlready } from './asked-already.js';
import { type TransactionPlaces } from './transaction-places.js';

export type Confirmed = Extract<TransactionStatusReply, { type: 'Confirmed' }>;

export interface StatusQuery extends OptionalChain {
  readonly txId: string;
}

export interface StatusParts {
  readonly groups: GroupClient;
  readonly places: TransactionPlaces;
  /** In the text of why a transaction was dropped. */
  readonly brand: Brand;
}

interface Found {
  readonly group: number;
  readonly reply: TransactionStatusReply;
}

/**
 * The status of a transaction (protocol 07 §8.5): Confirmed on any chain, then MemPooled (00-decisions, 14).
 *
 * What a Confirmed promises, the next read shows: both balances show the transaction (architecture, decision 16). So the
 * groups that did not say it themselves are asked, within a bound, whether their view holds the block.
 */
export const findStatus = async (
  query: StatusQuery,
  { groups, places, brand }: StatusParts,
): Promise<TransactionStatusAnswer> => {
  const { group, reply } = await ask(query, groups, places);
  if (reply.type === 'TxNotFound') return notFoundForm(reply, brand);
  await places.remember(query.txId, reply.chainFrom);
  if (reply.type === 'MemPooled') return { type: 'MemPooled' };
  // Mined, but its receiver does not show it yet: for people it is still on its way.
  if (!(await isShown(reply, group, groups, places))) return { type: 'MemPooled' };
  return confirmedForm(reply);
};

const notFoundForm = (
  { type, reason }: Extract<TransactionStatusReply, { type: 'TxNotFound' }>,
  brand: Brand,
): TransactionStatusAnswer =>
  reason ? { type, reason: { ...reason, detail: brandedText(reason.detail, brand) } } : { type };

export const confirmedForm = ({
  blockHash,
  txIndex,
  chainConfirmations,
  fromGroupConfirmations,
  toGroupConfirmations,
}: Confirmed): TransactionStatusAnswer => ({
  type: 'Confirmed',
  blockHash,
  txIndex,
  chainConfirmations,
  fromGroupConfirmations,
  toGroupConfirmations,
});

const ask = async (query: StatusQuery, groups: GroupClient, places: TransactionPlaces): Promise<Found> => {
  if (query.from !== undefined) return { group: query.from, reply: await request(groups, query.from, query) };
  const known = await places.fromGroup(query.txId);
  if (known === undefined) return askAll(query, groups);
  const asked = request(groups, known, query);
  const found = await asked.catch(() => undefined);
  return found && isItsOwn(found, known)
    ? { group: known, reply: found }
    : askAll(query, askedAlready(groups, known, asked));
};

/**
 * The group of its inputs owns its chain and its place in the mempool: what it says holds. That this is the group, only the
 * reply tells: it names the chain, or why the group dropped it.
 */
const isItsOwn = (reply: TransactionStatusReply, group: number): boolean =>
  reply.type === 'TxNotFound' ? reply.reason !== undefined : reply.chainFrom === group;

const request = (groups: GroupClient, group: number, query: StatusQuery): Promise<TransactionStatusReply> =>
  groups.request(group, 'read.transaction.status', query);

/**
 * The first Confirmed ends the search, and so does the word of the group that owns its chain: what is pending there, nobody
 * has mined. Anything else waits for all.
 */
const askAll = (query: StatusQuery, groups: GroupClient): Promise<Found> =>
  new Promise((resolve, reject) => {
    const found: Found[] = [];
    const failures = new Map<number, unknown>();
    const close = (): void => {
      if (found.length + failures.size < groups.groups) return;
      const best = bestOf(found, failures);
      if (best instanceof Error) reject(best);
      else resolve(best);
    };
    for (let group = 0; group < groups.groups; group++) {
      request(groups, group, query).then(
        (reply) => {
          found.push({ group, reply });
          if (reply.type === 'Confirmed' || isPendingWithOwner(reply, group)) resolve({ group, reply });
          else close();
        },
        (error: unknown) => {
          failures.set(group, error);
          close();
        },
      );
    }
  });

const isPendingWithOwner = (reply: TransactionStatusReply, group: number): boolean =>
  reply.type === 'MemPooled' && reply.chainFrom === group;

/** Nobody knows it as confirmed. An absent group may, unless the owner of its chain has answered. */
const bestOf = (found: readonly Found[], failures: ReadonlyMap<number, unknown>): Found | Error => {
  const pooled = found.find(({ reply }) => reply.type === 'MemPooled');
  if (pooled && pooled.reply.type === 'MemPooled' && !failures.has(pooled.reply.chainFrom)) return pooled;
  const [failure] = failures.values();
  if (failure !== undefined) return failure instanceof Error ? failure : new Error(String(failure));
  return pooled ?? found.find(({ reply }) => reply.type === 'TxNotFound' && reply.reason) ?? found[0]!;
};

/** Whether both groups of the transaction show its block, asking those that have not said so. */
const isShown = async (
  { blockHash, chainFrom, chainTo }: Confirmed,
  answered: number,
  groups: GroupClient,
  places: TransactionPlaces,
): Promise<boolean> => {
  const asked = [...new Set([chainFrom, chainTo])].filter((group) => group !== answered || group !== chainFrom);
  const shown = await Promise.all(asked.map((group) => showsBlock(blockHash, group, groups, places)));
  return shown.every((shows) => shows);
};

const showsBlock = async (
  blockHash: string,
  group: number,
  groups: GroupClient,
  places: TransactionPlaces,
): Promise<boolean> => {
  if (await places.isShown(blockHash, group)) return true;
  try {
    const { included } = await groups.request(group, 'read.view.includes', { blockHash });
    if (included) await places.rememberShown(blockHash, group);
    return included;
  } catch (error) {
    // A group that is away shows nothing at all, so the promise holds; the transaction is mined all the same.
    if (error instanceof ServiceError && error.kind === 'unavailable' && error.code === 'NoResponder') return true;
    throw error;
  }
};

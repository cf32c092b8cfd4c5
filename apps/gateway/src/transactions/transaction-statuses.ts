import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { ServiceError } from '@shardnode/core/errors';
import { type Brand, brandedText } from '@shardnode/http';
import { GroupClient, type OptionalChain, type TransactionStatusReply } from '@shardnode/messages';
import { ApiSettings } from '../settings/api-settings.js';
import { withPendingReply } from './with-pending-reply.js';
import { TransactionPlaces } from './transaction-places.js';
import { type TransactionStatus } from './transactions.schemas.js';

export type TransactionStatusAnswer = z.output<typeof TransactionStatus>;

type Confirmed = Extract<TransactionStatusReply, { type: 'Confirmed' }>;

export interface StatusQuery extends OptionalChain {
  readonly txId: string;
}

interface Found {
  readonly group: number;
  readonly reply: TransactionStatusReply;
}

const notFoundForm = (
  { type, reason }: Extract<TransactionStatusReply, { type: 'TxNotFound' }>,
  brand: Brand,
): TransactionStatusAnswer =>
  reason ? { type, reason: { ...reason, detail: brandedText(reason.detail, brand) } } : { type };

const confirmedForm = ({
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

/**
 * The group of its inputs owns its chain and its entry in the mempool: its reply is final. Only the reply shows that
 * this is the group: it names the chain, or the reason why the group dropped it.
 */
const isItsOwn = (reply: TransactionStatusReply, group: number): boolean =>
  reply.type === 'TxNotFound' ? reply.reason !== undefined : reply.chainFrom === group;

const isPendingWithOwner = (reply: TransactionStatusReply, group: number): boolean =>
  reply.type === 'MemPooled' && reply.chainFrom === group;

const request = (groups: GroupClient, group: number, query: StatusQuery): Promise<TransactionStatusReply> =>
  groups.request(group, 'read.transaction.status', query);

/** No group reports it as confirmed. An absent group may have it, unless the owner of its chain has responded. */
const bestOf = (found: readonly Found[], failures: ReadonlyMap<number, unknown>): Found | Error => {
  const pooled = found.find(({ reply }) => reply.type === 'MemPooled');
  if (pooled && pooled.reply.type === 'MemPooled' && !failures.has(pooled.reply.chainFrom)) return pooled;
  const [failure] = failures.values();
  if (failure !== undefined) return failure instanceof Error ? failure : new Error(String(failure));
  return pooled ?? found.find(({ reply }) => reply.type === 'TxNotFound' && reply.reason) ?? found[0]!;
};

/**
 * The first Confirmed ends the search, and so does the reply of the group that owns its chain: a transaction that is
 * pending there is not mined anywhere. Otherwise all replies are awaited.
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

/** Finds the status of a transaction (protocol 07 §8.5): Confirmed on any chain, then MemPooled (00-decisions, 14). */
@Injectable()
export class TransactionStatuses {
  constructor(
    private readonly groups: GroupClient,
    private readonly places: TransactionPlaces,
    private readonly settings: ApiSettings,
  ) {}

  /**
   * After a Confirmed the next read must agree: both balances show the transaction (architecture, decision 16).
   * Therefore the groups that have not reported it themselves are queried, within a limit of time, whether their view
   * includes the block.
   */
  async find(query: StatusQuery): Promise<TransactionStatusAnswer> {
    const { group, reply } = await this.ask(query);
    if (reply.type === 'TxNotFound') return notFoundForm(reply, this.settings.brand);
    await this.places.remember(query.txId, reply.chainFrom);
    if (reply.type === 'MemPooled') return { type: 'MemPooled' };
    // Mined, but its receiver does not show it yet: reported as pending.
    if (!(await this.isShown(reply, group))) return { type: 'MemPooled' };
    return confirmedForm(reply);
  }

  private async ask(query: StatusQuery): Promise<Found> {
    const { groups } = this;
    if (query.from !== undefined) return { group: query.from, reply: await request(groups, query.from, query) };
    const known = await this.places.fromGroup(query.txId);
    if (known === undefined) return askAll(query, groups);
    const asked = request(groups, known, query);
    const found = await asked.catch(() => undefined);
    return found && isItsOwn(found, known)
      ? { group: known, reply: found }
      : askAll(query, withPendingReply(groups, known, asked));
  }

  /** Whether both groups of the transaction show its block; queries those that have not reported it. */
  private async isShown({ blockHash, chainFrom, chainTo }: Confirmed, answered: number): Promise<boolean> {
    const asked = [...new Set([chainFrom, chainTo])].filter((group) => group !== answered || group !== chainFrom);
    const shown = await Promise.all(asked.map((group) => this.showsBlock(blockHash, group)));
    return shown.every((shows) => shows);
  }

  private async showsBlock(blockHash: string, group: number): Promise<boolean> {
    if (await this.places.isShown(blockHash, group)) return true;
    try {
      const { included } = await this.groups.request(group, 'read.view.includes', { blockHash });
      if (included) await this.places.rememberShown(blockHash, group);
      return included;
    } catch (error) {
      // An absent group shows nothing at all, so the promise holds; the transaction is mined anyway.
      if (error instanceof ServiceError && error.kind === 'unavailable' && error.code === 'NoResponder') return true;
      throw error;
    }
  }
}

import { Injectable } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { errorOf } from '@shardnode/http';
import { chainOfBlockHash, firstGroup, GroupClient, type OptionalChain } from '@shardnode/messages';
import { decode } from '@shardnode/protocol/encoding';
import { type ChainIndex } from '@shardnode/protocol/primitives';
import { type Transaction, transactionCodec } from '@shardnode/protocol/transaction';
import { orUndefined } from '../operations/or-not-found.js';
import { withPendingReply } from './with-pending-reply.js';
import { TransactionPlaces } from './transaction-places.js';

export interface DetailsQuery extends OptionalChain {
  readonly txId: string;
}

/** `from group 2 to group 1`, or the part of it that the client names. */
const chainText = ({ from, to }: OptionalChain): string =>
  [from === undefined ? [] : [`from group ${from}`], to === undefined ? [] : [`to group ${to}`]].flat().join(' ');

const notFound = (txId: string, where: string, field?: string): ServiceError =>
  errorOf('TransactionNotFound', `Transaction ${txId} is in no block ${where}`, {
    resource: `Transaction ${txId}`,
    ...(field === undefined ? {} : { field }),
  });

const waitsPerhaps = 'Its status tells whether it waits.';
const notMined = (txId: string): ServiceError => notFound(txId, `of the main chain. ${waitsPerhaps}`);

/** @param chain of the block that has the transaction */
const inOtherGroups = ({ txId, ...asked }: DetailsQuery, chain: ChainIndex): ServiceError => {
  const groups = `fromGroup=${chain.from}&toGroup=${chain.to}`;
  const where = `${chainText(asked)}, but in one ${chainText(chain)}: ask with ${groups}, or without groups.`;
  return notFound(txId, where, asked.from === undefined || asked.from === chain.from ? 'toGroup' : 'fromGroup');
};

/** Finds mined transactions (protocol 07 §8.6). */
@Injectable()
export class TransactionDetails {
  constructor(
    private readonly groups: GroupClient,
    private readonly places: TransactionPlaces,
  ) {}

  /**
   * Queries the group that the client names, else the cached group of the transaction, then all groups.
   *
   * @throws ServiceError `TransactionNotFound`
   */
  async find(query: DetailsQuery): Promise<Transaction> {
    const found = await this.bytesOf(query);
    if (found) return decode(transactionCodec, found);
    throw query.from === undefined && query.to === undefined ? notMined(query.txId) : await this.absentFrom(query);
  }

  /** The error of a transaction that is not in the chains that the client names, which may be wrong. */
  private async absentFrom(query: DetailsQuery): Promise<ServiceError> {
    const { txId } = query;
    try {
      const found = await firstGroup(this.groups, 'read.transaction.details', { txId });
      return found ? inOtherGroups(query, chainOfBlockHash(found.reply.blockHash, this.groups.groups)) : notMined(txId);
    } catch {
      // A group is away: what it has is not known, and was not asked for.
      return notFound(txId, `${chainText(query)}. ${waitsPerhaps}`);
    }
  }

  /** Undefined if no block of the chains that the query names has the transaction. */
  private async bytesOf(query: DetailsQuery): Promise<Uint8Array | undefined> {
    if (query.from !== undefined) {
      const asked = this.groups.request(query.from, 'read.transaction.details', query);
      return (await orUndefined(asked))?.transaction;
    }
    const believed = await this.places.fromGroup(query.txId);
    if (believed === undefined) return this.search(query, this.groups);
    const asked = this.groups.request(believed, 'read.transaction.details', query);
    const found = await asked.catch(() => undefined);
    return found ? found.transaction : this.search(query, withPendingReply(this.groups, believed, asked));
  }

  private async search(query: DetailsQuery, groups: GroupClient): Promise<Uint8Array | undefined> {
    return (await firstGroup(groups, 'read.transaction.details', query))?.reply.transaction;
  }
}

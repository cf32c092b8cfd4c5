import { Injectable } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { errorOf } from '@shardnode/http';
import { firstGroup, GroupClient, type OptionalChain } from '@shardnode/messages';
import { decode } from '@shardnode/protocol/encoding';
import { type Transaction, transactionCodec } from '@shardnode/protocol/transaction';
import { orNotFound } from '../operations/or-not-found.js';
import { withPendingReply } from './with-pending-reply.js';
import { TransactionPlaces } from './transaction-places.js';

export interface DetailsQuery extends OptionalChain {
  readonly txId: string;
}

const transactionNotFound = (txId: string): ServiceError =>
  errorOf(
    'TransactionNotFound',
    `Transaction ${txId} is in no block of the main chain. Its status tells whether it waits.`,
    { resource: `Transaction ${txId}` },
  );

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
    return decode(transactionCodec, await this.bytesOf(query));
  }

  private async bytesOf(query: DetailsQuery): Promise<Uint8Array> {
    if (query.from !== undefined) {
      const asked = this.groups.request(query.from, 'read.transaction.details', query);
      return (await orNotFound(asked, () => transactionNotFound(query.txId))).transaction;
    }
    const believed = await this.places.fromGroup(query.txId);
    if (believed === undefined) return this.search(query, this.groups);
    const asked = this.groups.request(believed, 'read.transaction.details', query);
    const found = await asked.catch(() => undefined);
    return found ? found.transaction : this.search(query, withPendingReply(this.groups, believed, asked));
  }

  private async search(query: DetailsQuery, groups: GroupClient): Promise<Uint8Array> {
    const found = await firstGroup(groups, 'read.transaction.details', query);
    if (!found) throw transactionNotFound(query.txId);
    return found.reply.transaction;
  }
}

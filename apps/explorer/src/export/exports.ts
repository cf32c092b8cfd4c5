import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { ClientSemaphore } from '@shardnode/core/concurrency';
import { clientOfAddress } from '@shardnode/core/http-limits';
import { Clock, type Timer } from '@shardnode/core/lifecycle';
import { ExplorerSettings } from '../settings.js';
import { explorerError } from '../errors.js';
import { Reads } from '../database/reads.js';
import { fungibleUnits } from '../reads/token-reads.js';
import { type ExportedFile, headerLine, linesOf } from '../reads/transaction-lines.js';
import { idsOfTimes, transactionsById } from '../reads/transaction-reads.js';
import { transactionIdsOfAddress } from '../reads/transactions-of-address.js';

/** Exports at once, and requests that wait (protocol 08 §9). */
const bounds = { permits: { inAll: 8, ofOne: 2 }, waiting: { inAll: 0, ofOne: 0 } };
const retryAfterSeconds = 5;
const tooMany = () => explorerError('TooManyRequests', 'Too many requests', { retryAfterSeconds });

/** Transactions that are read at once. */
const batch = 100;
/** Milliseconds in which a client receives a batch. A slower one would keep its place from others. */
const patience = 30_000;

/** Files of transactions, sent as they are made. */
@Injectable()
export class Exports {
  private readonly permits = new ClientSemaphore({ ...bounds, full: { ofOne: tooMany, inAll: tooMany } });

  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * The file of the transactions of an address from `fromTs` on, before `toTs`. The next batch is read when the client
   * has received the one before. A transaction that a reorganisation removes meanwhile is left out.
   *
   * @throws ServiceError `TooManyRequests`; `InvalidRequest` for too many transactions
   */
  async file(reply: FastifyReply, address: string, fromTs: bigint, toTs: bigint): Promise<Readable> {
    const release = await this.permits.acquire(clientOfAddress(reply.request.ip));
    try {
      const most = this.settings.exportLimits.transactions;
      const range = idsOfTimes(fromTs, toTs);
      const ids = await this.reads.of((snapshot) => transactionIdsOfAddress(snapshot, address, range, most + 1));
      if (ids.length > most) {
        const text = `Too many transactions for that address in this time range, limit is ${most}`;
        throw explorerError('InvalidRequest', text, { field: 'toTs' });
      }
      const { raw } = reply;
      const pieces = this.pieces(address, ids, () => raw.destroy());
      raw.once('close', release);
      if (raw.destroyed) release();
      return Readable.from(pieces, { highWaterMark: 1 });
    } catch (error) {
      release();
      throw error;
    }
  }

  /** @param tooSlow ends the answer of a client that does not receive */
  private async *pieces(address: string, ids: readonly bigint[], tooSlow: () => void): AsyncGenerator<string> {
    const { coinSymbol } = this.settings;
    let timer: Timer | undefined;
    try {
      yield headerLine;
      for (let done = 0; done < ids.length; done += batch) {
        const text = await this.reads.of(async (snapshot) => {
          const transactions = await transactionsById(snapshot, ids.slice(done, done + batch));
          const file: ExportedFile = { address, coinSymbol, units: await fungibleUnits(snapshot, transactions) };
          return transactions.map((transaction) => linesOf(transaction, file)).join('');
        });
        timer = this.clock.after(patience, tooSlow);
        yield text;
        timer.cancel();
      }
    } finally {
      timer?.cancel();
    }
  }
}

import { type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { allGroups, GroupClient, type PendingItem } from '@shardnode/messages';
import { decode } from '@shardnode/protocol/encoding';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { LargeAnswers, smallBytes } from '../large-answers/large-answers.js';
import { joinedJson } from '../operations/joined-json.js';
import { templateForm } from '../transactions/transaction-forms.js';

const textOf = ({ template }: PendingItem): string =>
  JSON.stringify(templateForm(decode(transactionTemplateCodec, template)));

const beginning = (from: number, to: number): string => `{"fromGroup":${from},"toGroup":${to},"transactions":[`;

/** Bytes of transactions in a piece of a large answer. */
const pageBytes = 128 * 1024;

/** Lists the transactions in the mempools of all groups. */
@Injectable()
export class PendingTransactions {
  constructor(
    private readonly groups: GroupClient,
    private readonly large: LargeAnswers,
  ) {}

  /**
   * JSON of `MempoolTransactions`: by chain, in the order in which the next blocks take them. Long lists are sent in
   * pieces, chain by chain.
   */
  async json(reply: FastifyReply): Promise<string | Readable> {
    const pages = await allGroups(this.groups, 'read.mempool.list', { maxBytes: smallBytes });
    const isWhole = pages.every(({ transactions, total }) => transactions.length >= total);
    if (isWhole) return this.listed(pages);
    return (await this.large.hold(reply)).stream(this.pieces());
  }

  private get groupNumbers(): number[] {
    return Array.from({ length: this.groups.groups }, (_, group) => group);
  }

  private async listed(pages: readonly { readonly transactions: readonly PendingItem[] }[]): Promise<string> {
    const texts: string[] = [];
    for (const [from, { transactions }] of pages.entries()) {
      for (const to of this.groupNumbers) {
        const waiting = transactions.filter((item) => item.to === to);
        if (waiting.length === 0) continue;
        texts.push(`${beginning(from, to)}${(await joinedJson(waiting, textOf)).slice(1)}}`);
      }
    }
    return `[${texts.join(',')}]`;
  }

  private async *pieces(): AsyncGenerator<string> {
    let before = '[';
    for (const from of this.groupNumbers) {
      for (const to of this.groupNumbers) {
        let isBegun = false;
        for await (const texts of this.pendingOn(from, to)) {
          yield `${isBegun ? ',' : before + beginning(from, to)}${texts}`;
          isBegun = true;
        }
        if (!isBegun) continue;
        yield ']}';
        before = ',';
      }
    }
    yield before === '[' ? '[]' : ']';
  }

  /**
   * Texts of all pending transactions of a chain with commas between, page by page. A removal meanwhile may hide another
   * one until the next request.
   */
  private async *pendingOn(from: number, to: number): AsyncGenerator<string> {
    for (let offset = 0; ;) {
      const page = { offset, to, maxBytes: pageBytes };
      const { transactions, total } = await this.groups.request(from, 'read.mempool.list', page);
      // A group-node of an earlier version sends those to all groups.
      const own = transactions.filter((item) => item.to === to);
      if (own.length > 0) yield (await joinedJson(own, textOf)).slice(1, -1);
      offset += transactions.length;
      if (transactions.length === 0 || offset >= total) return;
    }
  }
}

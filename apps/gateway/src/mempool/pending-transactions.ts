import { Injectable } from '@nestjs/common';
import { GroupClient, type PendingItem } from '@shardnode/messages';
import { decode } from '@shardnode/protocol/encoding';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { joinedJson } from '../operations/joined-json.js';
import { templateForm } from '../transactions/transaction-forms.js';

const textOf = ({ template }: PendingItem): string =>
  JSON.stringify(templateForm(decode(transactionTemplateCodec, template)));

/** Lists the transactions in the mempools of all groups. */
@Injectable()
export class PendingTransactions {
  constructor(private readonly groups: GroupClient) {}

  /** JSON of `MempoolTransactions`: by chain, in the order in which the next blocks take them. */
  async json(): Promise<string> {
    const groups = Array.from({ length: this.groups.groups }, (_, group) => group);
    const perGroup = await Promise.all(groups.map((group) => this.pendingAt(group)));
    const texts: string[] = [];
    for (const [from, items] of perGroup.entries()) {
      for (const to of groups) {
        const waiting = items.filter((item) => item.to === to);
        if (waiting.length === 0) continue;
        texts.push(`{"fromGroup":${from},"toGroup":${to},"transactions":${await joinedJson(waiting, textOf)}}`);
      }
    }
    return `[${texts.join(',')}]`;
  }

  /**
   * All pending transactions of a group, page by page. A removal meanwhile may hide another one until the next request.
   */
  private async pendingAt(group: number): Promise<PendingItem[]> {
    const items: PendingItem[] = [];
    for (;;) {
      const page = await this.groups.request(group, 'read.mempool.list', { offset: items.length });
      items.push(...page.transactions);
      if (page.transactions.length === 0 || items.length >= page.total) return items;
    }
  }
}

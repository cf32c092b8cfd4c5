import { errorOf, required, transactionIdText } from '@shardnode/http';
import { firstGroup, type GroupClient, type PendingItem } from '@shardnode/messages';
import { decode } from '@shardnode/protocol/encoding';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { endpoint, JsonText, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { joinedJson } from '../endpoint/joined-json.js';
import { query } from '../endpoint/parameters.js';

/** Everything that waits at a group, page by page. What leaves meanwhile may hide another one until the next request. */
const pendingAt = async (groups: GroupClient, group: number): Promise<PendingItem[]> => {
  const items: PendingItem[] = [];
  for (;;) {
    const { transactions, total } = await groups.request(group, 'read.mempool.list', { offset: items.length });
    items.push(...transactions);
    if (transactions.length === 0 || items.length >= total) return items;
  }
};

const pendingOfAll = async ({ network, forms }: Edge, client: GroupClient): Promise<JsonText> => {
  const groups = Array.from({ length: network.groups }, (_, group) => group);
  const perGroup = await Promise.all(groups.map((group) => pendingAt(client, group)));
  const texts: string[] = [];
  for (const [from, items] of perGroup.entries()) {
    for (const to of groups) {
      const waiting = items.filter((item) => item.to === to);
      if (waiting.length === 0) continue;
      const transactions = await joinedJson(waiting, ({ template }) =>
        JSON.stringify(forms.template(decode(transactionTemplateCodec, template))),
      );
      texts.push(`{"fromGroup":${from},"toGroup":${to},"transactions":${transactions}}`);
    }
  }
  return new JsonText(`[${texts.join(',')}]`);
};

/** Protocol 07 §12. */
export const mempoolEndpoints = (edge: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/mempool/transactions',
      tag: 'Mempool',
      summary: 'Transactions that wait to be mined',
      description: 'By chain; in the order in which the next blocks take them.',
      answer: edge.answers.pending,
    },
    (plan) => plan.search((_, { groups }) => pendingOfAll(edge, groups)),
  ),
  endpoint(
    {
      method: 'PUT',
      path: '/mempool/transactions/rebroadcast',
      tag: 'Mempool',
      summary: 'Announce a waiting transaction again',
      query: query({
        txId: required(transactionIdText, { description: 'Id of one that GET /mempool/transactions lists' }),
      }),
      codes: ['TransactionNotFound'],
    },
    (plan) =>
      plan.search(async ({ query: { txId } }, { groups }) => {
        if (await firstGroup(groups, 'command.mempool.rebroadcast', { txId })) return;
        const resource = `TxId: ${txId}`;
        throw errorOf(
          'TransactionNotFound',
          `Transaction ${txId} does not wait in the mempool. Its status tells whether it is mined.`,
          { resource },
        );
      }),
  ),
  endpoint(
    {
      method: 'PUT',
      path: '/mempool/transactions/validate',
      tag: 'Mempool',
      summary: 'Remove the waiting transactions that are not valid any more',
      description: 'Each is judged as if it came now. The status of those that leave tells why, for a day.',
    },
    (plan) => plan.everyGroup('command.mempool.validate', { payload: () => ({}), merge: () => undefined }),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/mempool/transactions',
      tag: 'Mempool',
      summary: 'Remove all waiting transactions',
      description: 'The stored ones too: a restart brings none back. They can be submitted again.',
    },
    (plan) => plan.everyGroup('command.mempool.clear', { payload: () => ({}), merge: () => undefined }),
  ),
];

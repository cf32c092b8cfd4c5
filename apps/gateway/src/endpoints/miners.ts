import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { chainQuery, query } from '../endpoint/parameters.js';

/** Protocol 07 §13. */
export const minerEndpoints = ({ network: { groups }, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'POST',
      path: '/miners/cpu-mining/mine-one-block',
      tag: 'Miners',
      summary: 'Mine one block on a chain',
      description: 'For development networks. Answers when the block is stored.',
      synced: true,
      query: query(chainQuery(groups)),
      answer: answers.mined,
    },
    (plan) =>
      plan.oneGroup('command.mining.mine-one', {
        ask: ({ query: { fromGroup: from, toGroup: to } }) => ({ group: from, payload: { from, to } }),
        form: () => true,
      }),
  ),
];

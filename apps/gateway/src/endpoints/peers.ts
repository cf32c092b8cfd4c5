import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';

const connections = ({ answers }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/infos/inter-clique-peer-info',
      tag: 'Infos',
      summary: 'Connected peers of other clusters',
      description: 'Always empty: the services of this cluster speak to each other alone.',
      answer: answers.interCliquePeers,
    },
    (plan) => plan.here(() => []),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/infos/discovered-neighbors',
      tag: 'Infos',
      summary: 'Peers that were heard of',
      description: 'Always empty: the services of this cluster speak to each other alone.',
      answer: answers.neighbors,
    },
    (plan) => plan.here(() => []),
  ),
];

const judgements = ({ answers, requests, peerBook }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/infos/misbehaviors',
      tag: 'Infos',
      summary: 'Banned peers',
      answer: answers.misbehaviors,
    },
    (plan) =>
      plan.here(async () =>
        (await peerBook.bans()).map(({ peer, until }) => ({ peer, status: { type: 'Banned' as const, until } })),
      ),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/infos/misbehaviors',
      tag: 'Infos',
      summary: 'Ban peers, or end their bans',
      description: 'A ban lasts a day. Bans are remembered, and have no effect as long as there are no peers.',
      body: requests.peers.misbehaviors,
    },
    (plan) => plan.here(({ body: { type, peers } }) => (type === 'Ban' ? peerBook.ban(peers) : peerBook.unban(peers))),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/infos/unreachable',
      tag: 'Infos',
      summary: 'Peers that cannot be reached',
      answer: answers.unreachable,
    },
    (plan) => plan.here(() => peerBook.unreachable()),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/infos/discovery',
      tag: 'Infos',
      summary: 'Tell which peers can be reached',
      body: requests.peers.discovery,
    },
    (plan) =>
      plan.here(({ body: { type, peers } }) =>
        type === 'Unreachable' ? peerBook.markUnreachable(peers) : peerBook.markReachable(peers),
      ),
  ),
];

/** Protocol 07 §5. */
export const peerEndpoints = (edge: Edge): Endpoint[] => [...connections(edge), ...judgements(edge)];

import { blake2bHash } from '@shardnode/protocol/crypto';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';

/** Clients want a public key as the id of a cluster; ours has no key, so the id follows from the network. */
const cliqueIdOf = (networkId: number): string =>
  `02${blake2bHash(new TextEncoder().encode(`cluster of network ${networkId}`))}`;

/** The push and mining interfaces stand 1000 and 2000 below this one (protocol 07 §1.14). */
const portBelow = (port: number, distance: number): number => Math.max(0, port - distance);

const factsOfNode = (edge: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/infos/node',
      tag: 'Infos',
      summary: 'Build of this node',
      answer: edge.answers.node,
    },
    (plan) =>
      plan.here(() => ({
        buildInfo: { releaseVersion: edge.reportedVersion.slice(1), commit: edge.commit },
        upnp: false,
        externalAddress: null,
      })),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/infos/version',
      tag: 'Infos',
      summary: 'Version of this node',
      answer: edge.answers.version,
    },
    (plan) => plan.here(() => ({ version: edge.reportedVersion })),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/infos/chain-params',
      tag: 'Infos',
      summary: 'Parameters of the chains',
      answer: edge.answers.chainParams,
    },
    (plan) =>
      plan.here(() => ({
        networkId: edge.network.networkId,
        numZerosAtLeastInHash: edge.network.numZeros,
        groupNumPerBroker: edge.network.groups,
        groups: edge.network.groups,
      })),
  ),
];

const selfClique = (edge: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/infos/self-clique',
      tag: 'Infos',
      summary: 'This cluster and whether it has caught up',
      answer: edge.answers.selfClique,
    },
    (plan) =>
      plan.here(async () => {
        const { host, port } = edge.listening();
        const { ready, synced } = await edge.sync.state();
        return {
          cliqueId: cliqueIdOf(edge.network.networkId),
          nodes: [
            { address: host, restPort: port, wsPort: portBelow(port, 1_000), minerApiPort: portBelow(port, 2_000) },
          ],
          selfReady: ready,
          synced,
        };
      }),
  );

/** Protocol 07 §5. */
export const infoEndpoints = (edge: Edge): Endpoint[] => [...factsOfNode(edge), selfClique(edge)];

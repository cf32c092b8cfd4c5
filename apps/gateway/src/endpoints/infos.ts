import { softwareVersion } from '@shardnode/core/observability';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';

/** Clients want a public key as the id of a cluster; ours has no key, so the id follows from the network. */
const cliqueIdOf = (networkId: number): string =>
  `02${blake2bHash(new TextEncoder().encode(`cluster of network ${networkId}`))}`;

/** Where the mining interface would stand (protocol 07 §1.14): there is none, and clients want a number. */
const minerPortOf = (port: number): number => Math.max(0, port - 2_000);

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
        buildInfo: { releaseVersion: softwareVersion, commit: edge.commit },
        upnp: false,
        externalAddress: null,
      })),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/infos/version',
      tag: 'Infos',
      summary: 'Version of the API',
      description: 'Tells which calls there are. GET /infos/node has the version of the software.',
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
        const { host, port, pushPort } = edge.listening();
        const { ready, synced } = await edge.sync.state();
        return {
          cliqueId: cliqueIdOf(edge.network.networkId),
          nodes: [{ address: host, restPort: port, wsPort: pushPort, minerApiPort: minerPortOf(port) }],
          selfReady: ready,
          synced,
        };
      }),
  );

/** Protocol 07 §5. */
export const infoEndpoints = (edge: Edge): Endpoint[] => [...factsOfNode(edge), selfClique(edge)];

import { z } from 'zod';
import {
  choice,
  count,
  digits,
  fields,
  flagAnswer,
  inetAddress,
  int32,
  list,
  meanings,
  numberOf,
  optional,
  plainText,
  publicKeyText,
  required,
  tagged,
  textOf,
  time,
  wholeNumber,
} from '@shardnode/http';
import { parametersOf } from '../operations/parameters.js';

/* This node. */

export const NodeInfo = fields(
  {
    buildInfo: fields(
      {
        releaseVersion: plainText('Version of the software', '0.1.0'),
        commit: plainText('Commit it was built from', 'unknown'),
      },
      { description: 'Build', id: 'BuildInfo' },
    ),
    upnp: flagAnswer('Always false', false),
    externalAddress: fields(
      { addr: plainText('Address', '1.2.3.4'), port: numberOf(count('Port', 9_973)) },
      { description: 'Address from outside; null: it has none' },
    ).nullable(),
  },
  { description: 'This node', id: 'NodeInfo' },
);
export const NodeVersion = fields(
  { version: plainText('Version of the API', 'v2.14.9') },
  { description: 'Version of the API', id: 'NodeVersion' },
);
export const ChainParams = fields(
  {
    networkId: numberOf(int32('Network', 4)),
    numZerosAtLeastInHash: numberOf(count('Leading zero bits of the easiest target', 0)),
    groupNumPerBroker: numberOf(count('The same as groups', 4)),
    groups: numberOf(count('Groups of addresses', 4)),
  },
  { description: 'Parameters of the chains', id: 'ChainParams' },
);
export const SelfClique = fields(
  {
    cliqueId: textOf(publicKeyText, { description: 'Id of this cluster' }),
    nodes: list(
      fields(
        {
          address: plainText('Host', '127.0.0.1'),
          restPort: numberOf(count('Port of this interface', 22_973)),
          wsPort: numberOf(count('Port of the block push', 21_973)),
          minerApiPort: numberOf(count('Port of the mining interface', 20_973)),
        },
        { description: 'Node', id: 'PeerAddress' },
      ),
      'nodes',
    ),
    selfReady: flagAnswer('All group-nodes answer', true),
    synced: flagAnswer('All group-nodes have caught up', true),
  },
  { description: 'This cluster', id: 'SelfClique' },
);

/* Hash rates. */

export const CurrentHashRateQuery = parametersOf({
  timespan: optional(
    wholeNumber(1, Number.MAX_SAFE_INTEGER, 'Milliseconds until now, at most 1800000; default 600000', 600_000),
    { 'x-unit': 'ms' },
  ),
});
export const AverageHashRate = fields(
  { hashrate: plainText('Millions of hashes per second, a whole number', '12 MH/s') },
  { description: 'Hash rate over a time', id: 'HashRateResponse' },
);
export const CurrentDifficulty = fields(
  { difficulty: digits('Mean number of hashes that a block of a chain takes now', '1') },
  { description: 'Difficulty', id: 'CurrentDifficulty' },
);

/* Peers. Both forms of an action have the same fields, so the tag is one of two words. */

const peers = list(required(inetAddress), 'addresses of peers', { most: 1_024 });
export const MisbehaviorAction = fields(
  { type: required(choice(['Ban', 'Unban'], 'What to do with the peers')), peers },
  { description: 'Peers to ban for a day, or not to ban any longer', id: 'MisbehaviorAction' },
);
export const DiscoveryAction = fields(
  { type: required(choice(['Unreachable', 'Reachable'], 'What the peers are')), peers },
  { description: 'Peers that can be reached or not', id: 'DiscoveryAction' },
);

const SocketAddress = fields(
  { addr: textOf(inetAddress), port: numberOf(count('Port', 9_973)) },
  { description: 'Where a peer is', id: 'InetSocketAddress' },
);
const cliqueId = textOf(publicKeyText, { description: 'Id of the cluster of the peer' });
export const ConnectedPeers = list(
  fields(
    {
      cliqueId,
      brokerId: numberOf(count('Number of the peer in its cluster', 0)),
      groupNumPerBroker: numberOf(count('Groups that it has', 4)),
      address: SocketAddress,
      isSynced: flagAnswer('Whether it has nothing newer', true),
      clientVersion: plainText('What it calls itself', 'node/v0.1.0'),
    },
    { description: 'Connected peer', id: 'InterCliquePeerInfo' },
  ),
  'connected peers; a cluster of our kind has none',
);
export const DiscoveredPeers = list(
  fields(
    {
      cliqueId,
      brokerId: numberOf(count('Number of the peer in its cluster', 0)),
      brokerNum: numberOf(count('Peers of its cluster', 1)),
      address: SocketAddress,
    },
    { description: 'Peer that was heard of', id: 'BrokerInfo' },
  ),
  'peers that were heard of; a cluster of our kind has none',
);
const PeerStatus = z
  .union([
    fields(
      { type: tagged('Penalty'), value: numberOf(count('Penalty', 10)) },
      { description: 'Penalty', id: 'Penalty' },
    ),
    fields({ type: tagged('Banned'), until: time('End of the ban') }, { description: 'Banned', id: 'Banned' }),
  ])
  .register(meanings, { description: 'Penalty or ban', id: 'PeerStatus' });
export const Misbehaviors = list(
  fields(
    { peer: textOf(inetAddress), status: PeerStatus },
    { description: 'Peer that misbehaved', id: 'PeerMisbehavior' },
  ),
  'banned peers',
);
export const UnreachablePeers = list(textOf(inetAddress), 'peers that cannot be reached');

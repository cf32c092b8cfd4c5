import { z } from 'zod';
import { publicKeyText } from '../bytes.js';
import { inetAddress } from '../inet-address.js';
import { fields, list, meanings } from '../leaf.js';
import { count } from '../numbers.js';
import { flag, number, plainText, tagged, text, time } from './answer-leaves.js';

/** Protocol 07 §5: lists of peers, bans. */
export const peerAnswers = () => {
  const place = fields(
    { addr: text(inetAddress), port: number(count('Port', 9_973)) },
    { description: 'Where a peer is', id: 'InetSocketAddress' },
  );
  const cliqueId = () => text(publicKeyText, { description: 'Id of the cluster of the peer' });
  const status = z
    .union([
      fields(
        { type: tagged('Penalty'), value: number(count('Penalty', 10)) },
        { description: 'Penalty', id: 'Penalty' },
      ),
      fields({ type: tagged('Banned'), until: time('End of the ban') }, { description: 'Banned', id: 'Banned' }),
    ])
    .register(meanings, { description: 'Penalty or ban', id: 'PeerStatus' });
  return {
    interCliquePeers: list(
      fields(
        {
          cliqueId: cliqueId(),
          brokerId: number(count('Number of the peer in its cluster', 0)),
          groupNumPerBroker: number(count('Groups that it has', 4)),
          address: place,
          isSynced: flag('Whether it has nothing newer', true),
          clientVersion: plainText('What it calls itself', 'node/v0.1.0'),
        },
        { description: 'Connected peer', id: 'InterCliquePeerInfo' },
      ),
      'connected peers; a cluster of our kind has none',
    ),
    neighbors: list(
      fields(
        {
          cliqueId: cliqueId(),
          brokerId: number(count('Number of the peer in its cluster', 0)),
          brokerNum: number(count('Peers of its cluster', 1)),
          address: place,
        },
        { description: 'Peer that was heard of', id: 'BrokerInfo' },
      ),
      'peers that were heard of; a cluster of our kind has none',
    ),
    misbehaviors: list(
      fields({ peer: text(inetAddress), status }, { description: 'Peer that misbehaved', id: 'PeerMisbehavior' }),
      'banned peers',
    ),
    unreachable: list(text(inetAddress), 'peers that cannot be reached'),
  };
};

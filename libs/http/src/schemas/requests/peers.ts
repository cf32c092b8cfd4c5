import { inetAddress } from '../inet-address.js';
import { fields, list, required } from '../leaf.js';
import { choice } from '../texts.js';

const peers = () => list(required(inetAddress), 'addresses of peers', { most: 1_024 });

/** Protocol 07 §5. Both forms of each union have the same fields, so the tag is one of two words. */
export const peerRequests = () => ({
  misbehaviors: fields(
    { type: required(choice(['Ban', 'Unban'], 'What to do with the peers')), peers: peers() },
    { description: 'Peers to ban for a day, or not to ban any longer', id: 'MisbehaviorAction' },
  ),
  discovery: fields(
    { type: required(choice(['Unreachable', 'Reachable'], 'What the peers are')), peers: peers() },
    { description: 'Peers that can be reached or not', id: 'DiscoveryAction' },
  ),
});

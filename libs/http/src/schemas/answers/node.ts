import { publicKeyText } from '../bytes.js';
import { fields, list } from '../leaf.js';
import { count, int32 } from '../numbers.js';
import { digits, flag, number, plainText, text } from './answer-leaves.js';

const rates = () => ({
  averageHashrate: fields(
    { hashrate: plainText('Millions of hashes per second, a whole number', '12 MH/s') },
    { description: 'Hash rate over a time', id: 'HashRateResponse' },
  ),
  difficulty: fields(
    { difficulty: digits('Mean number of hashes that a block of a chain takes now', '1') },
    { description: 'Difficulty', id: 'CurrentDifficulty' },
  ),
  hashrate: fields(
    { hashrate: digits('Hashes per second', '355255758493400', 'H/s') },
    { description: 'Hash rate', id: 'HashRate' },
  ),
});

export const nodeAnswers = () => ({
  node: fields(
    {
      buildInfo: fields(
        {
          releaseVersion: plainText('Version of the software', '0.1.0'),
          commit: plainText('Commit it was built from', 'unknown'),
        },
        { description: 'Build', id: 'BuildInfo' },
      ),
      upnp: flag('Always false', false),
      externalAddress: fields(
        { addr: plainText('Address', '1.2.3.4'), port: number(count('Port', 9_973)) },
        { description: 'Address from outside; null: it has none' },
      ).nullable(),
    },
    { description: 'This node', id: 'NodeInfo' },
  ),
  version: fields(
    { version: plainText('Version of the API', 'v2.14.9') },
    { description: 'Version of the API', id: 'NodeVersion' },
  ),
  chainParams: fields(
    {
      networkId: number(int32('Network', 4)),
      numZerosAtLeastInHash: number(count('Leading zero bits of the easiest target', 0)),
      groupNumPerBroker: number(count('The same as groups', 4)),
      groups: number(count('Groups of addresses', 4)),
    },
    { description: 'Parameters of the chains', id: 'ChainParams' },
  ),
  selfClique: fields(
    {
      cliqueId: text(publicKeyText, { description: 'Id of this cluster' }),
      nodes: list(
        fields(
          {
            address: plainText('Host', '127.0.0.1'),
            restPort: number(count('Port of this interface', 22_973)),
            wsPort: number(count('Port of the block push', 21_973)),
            minerApiPort: number(count('Port of the mining interface', 20_973)),
          },
          { description: 'Node', id: 'PeerAddress' },
        ),
        'nodes',
      ),
      selfReady: flag('All group-nodes answer', true),
      synced: flag('All group-nodes have caught up', true),
    },
    { description: 'This cluster', id: 'SelfClique' },
  ),
  mined: flag('Always true', true),
  verified: flag('Whether the signature is good', true),
  ...rates(),
});

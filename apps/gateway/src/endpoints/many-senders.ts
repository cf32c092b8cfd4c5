import { buildOutcome, groupOfSenders } from '@shardnode/protocol/building';
import { buildingRefusals } from '@shardnode/http';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { scriptsOfKey, senderOf } from '../endpoint/senders.js';
import { builtOrRefused } from '../endpoint/transaction-bytes.js';
import { builtForm } from './transactions.js';

/** Protocol 07 §8.2. */
export const manySendersEndpoints = ({ network: { groups }, requests, answers, profile }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'POST',
      path: '/transactions/build-multi-addresses',
      tag: 'Transactions',
      summary: 'Build one transaction of several keys',
      description:
        'All senders are of one group, and so are all destinations. Each sender signs `txId`; the signatures, in the ' +
        'order of the senders, go to `POST /multisig/submit`.',
      synced: true,
      body: requests.buildManySenders,
      answer: answers.built,
      codes: [...buildingRefusals, 'InvalidPublicKey', 'BlockNotFound'],
    },
    (plan) =>
      plan.oneGroup('read.building.many-senders', {
        ask: ({ body: { from, gasPrice, targetBlockHash } }) => {
          const senders = from.map(({ fromPublicKey, fromPublicKeyType }, i) =>
            scriptsOfKey(fromPublicKey, fromPublicKeyType ?? 'default', profile.unminable, `from[${i}].fromPublicKey`),
          );
          const lockupScripts = senders.map(({ lockupScript }) => lockupScript);
          const group = builtOrRefused(buildOutcome(() => groupOfSenders(lockupScripts, groups)));
          const sources = from.map(({ destinations, gasAmount, utxos }, i) => {
            const { lockupScript, unlockScript } = senderOf(senders[i]!.lockupScript, senders[i]!.unlockScript, groups);
            return { lockupScript, unlockScript, destinations, gasAmount, utxos };
          });
          const payload = {
            sources,
            gasPrice: gasPrice?.toString(),
            targetBlockHash,
            unminable: profile.unminable,
          };
          return { group, payload };
        },
        form: builtForm,
      }),
  ),
];

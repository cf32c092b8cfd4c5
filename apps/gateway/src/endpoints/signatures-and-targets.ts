import { targetValue } from '@shardnode/protocol/block';
import { verifySignature } from '@shardnode/protocol/crypto';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { errorOf } from '@shardnode/http';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';

/** Hashes per second that keep the block time at this target on all chains (protocol 07 §14). */
const hashRateOf = (target: string, { groups, blockTargetTime }: NetworkSettings): bigint => {
  const value = target.length === 8 ? targetValue(parseInt(target, 16)) : 0n;
  if (value <= 0n)
    throw errorOf('InvalidTarget', `${target} is no target of work: 8 hexadecimal digits, of a number above 0.`, {
      target,
    });
  const chains = BigInt(groups * groups);
  const rate = ((2n ** 256n / value) * 1_000n * chains * chains) / blockTargetTime;
  return rate > 0n ? rate : 1n;
};

/** Protocol 07 §14. */
export const utilityEndpoints = ({ network, requests, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'POST',
      path: '/utils/verify-signature',
      tag: 'Utils',
      summary: 'Verify a signature over 32 bytes',
      body: requests.verifySignature,
      answer: answers.verified,
    },
    (plan) =>
      plan.here(({ body: { data, signature, publicKey } }) => verifySignature(hexToBytes(data), signature, publicKey)),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/utils/target-to-hashrate',
      tag: 'Utils',
      summary: 'Hash rate that a target stands for',
      body: requests.targetToHashrate,
      answer: answers.hashrate,
      codes: ['InvalidTarget'],
    },
    (plan) => plan.here(({ body: { target } }) => ({ hashrate: hashRateOf(target, network).toString() })),
  ),
  endpoint(
    {
      method: 'PUT',
      path: '/utils/check-hash-indexing',
      tag: 'Utils',
      summary: 'Check and repair the height index of all chains',
      description: 'Answers when the check has started; while one runs another request does nothing.',
    },
    (plan) => plan.everyGroup('command.chain.check-index', { payload: () => ({}), merge: () => undefined }),
  ),
];

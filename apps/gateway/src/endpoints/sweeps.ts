import { bytesToHex } from '@shardnode/protocol/encoding';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { amountInField, buildingRefusals, maxAttoAmountField, scriptHex, type Brand } from '@shardnode/http';
import { type BuildSweepRequest, type SweepReply } from '@shardnode/messages';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { senderOfKey } from '../endpoint/senders.js';

/** What a request says of a sweep, whoever sends it. */
interface SweepBody {
  readonly toAddress: { readonly lockupScript: AssetLockupScript };
  readonly lockTime?: bigint | undefined;
  readonly gasAmount?: number | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly targetBlockHash?: string | undefined;
}

export const sweepPayload = (
  body: SweepBody,
  brand: Brand,
): Omit<BuildSweepRequest, 'lockupScript' | 'unlockScript'> => {
  // The name depends on the brand, which types cannot tell.
  const below = amountInField(body, maxAttoAmountField(brand));
  return {
    destination: scriptHex(body.toAddress.lockupScript),
    maxAmountPerUtxo: below?.toString(),
    lockTime: body.lockTime?.toString(),
    gasAmount: body.gasAmount,
    gasPrice: body.gasPrice?.toString(),
    targetBlockHash: body.targetBlockHash,
  };
};

export const sweepForm = ({ transactions, fromGroup, toGroup }: SweepReply) => ({
  unsignedTxs: transactions.map(({ txId, unsignedTx, gasAmount, gasPrice }) => ({
    txId,
    unsignedTx: bytesToHex(unsignedTx),
    gasAmount,
    gasPrice,
  })),
  fromGroup,
  toGroup,
});

export const howSweepsEnd =
  'One transaction takes 128 outputs. One answer takes at most 32,768, of more the smallest first: submit the ' +
  'transactions, then ask again.';

/** Protocol 07 §8.3. */
export const sweepEndpoints = (edge: Edge): Endpoint[] => {
  const { brand, requests, answers, profile } = edge;
  return [
    endpoint(
      {
        method: 'POST',
        path: '/transactions/sweep-address/build',
        tag: 'Transactions',
        summary: 'Build the transactions that move everything from the address of a key',
        description: `${howSweepsEnd} Each transaction is signed and submitted by itself.`,
        synced: true,
        body: requests.sweepBuild,
        answer: answers.sweepBuilt,
        codes: [...buildingRefusals, 'InvalidPublicKey', 'BlockNotFound'],
      },
      (plan) =>
        plan.oneGroup('read.building.sweep', {
          ask: ({ body }) => {
            const { group, ...scripts } = senderOfKey(bytesToHex(body.fromPublicKey), 'default', edge);
            return { group, payload: { ...scripts, ...sweepPayload(body, brand), unminable: profile.unminable } };
          },
          form: sweepForm,
        }),
    ),
  ];
};

import { addressOf, multisigOf } from '@shardnode/protocol/address';
import { multisigUnlockScript } from '@shardnode/protocol/building';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { buildingRefusals, errorOf, submitRefusals } from '@shardnode/http';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type LockupScript } from '@shardnode/protocol/primitives';
import { type UnlockScript } from '@shardnode/protocol/transaction';
import { type ApiProfile, type Edge } from '../endpoint/edge.js';
import { checkPoint, senderOf } from '../endpoint/senders.js';
import { builtOrRefused } from '../endpoint/transaction-bytes.js';
import { howSweepsEnd, sweepForm, sweepPayload } from './sweeps.js';
import { builtForm, submitPlan } from './transactions.js';

/** More keys than this can never sign a valid transaction (`TooManyKeysInMultisig`). */
const maxKeys = 16;

const checkPoints = (keys: readonly Uint8Array[], field: string, { unminable }: ApiProfile): void => {
  if (unminable === 'refuse') for (const [i, key] of keys.entries()) checkPoint(key, `${field}[${i}]`);
};

const checkDifferent = (keys: readonly Uint8Array[]): void => {
  const texts = keys.map(bytesToHex);
  const repeated = texts.findIndex((text, i) => texts.indexOf(text) < i);
  if (repeated < 0) return;
  throw errorOf(
    'InvalidMultisig',
    `keys[${repeated}] is the same as keys[${texts.indexOf(texts[repeated]!)}]: the keys of a multisig address are all different.`,
    { field: `keys[${repeated}]` },
  );
};

const addressEndpoint = ({ requests, answers, profile }: Edge): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/multisig/address',
      tag: 'Multi-signature',
      summary: 'Address of m of n keys',
      description: 'The order of the keys is part of the address: remember it.',
      body: requests.multisigAddress,
      answer: answers.multisigAddress,
      codes: ['InvalidMultisig', 'InvalidPublicKey'],
    },
    (plan) =>
      plan.here(({ body: { keys, mrequired } }) => {
        const { length } = keys;
        if (mrequired < 1 || mrequired > length)
          throw errorOf(
            'InvalidMultisig',
            `mrequired is ${mrequired}, but must be from 1 to ${length}, the number of keys.`,
            { of: 'mrequired' },
          );
        if (length > maxKeys)
          throw errorOf('InvalidMultisig', `keys: a multisig address has at most ${maxKeys} keys, got ${length}`, {
            field: 'keys',
          });
        checkDifferent(keys);
        checkPoints(keys, 'keys', profile);
        return { address: addressOf(multisigOf(keys, mrequired)) };
      }),
  );

const unlockOf = (
  lockupScript: LockupScript,
  fromPublicKeys: readonly Uint8Array[],
  profile: ApiProfile,
): UnlockScript => {
  checkPoints(fromPublicKeys, 'fromPublicKeys', profile);
  return builtOrRefused(multisigUnlockScript(lockupScript, fromPublicKeys, profile.unminable));
};

const buildEndpoint = ({ network: { groups }, requests, answers, profile }: Edge): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/multisig/build',
      tag: 'Multi-signature',
      summary: 'Build a transfer from a multisig address',
      synced: true,
      body: requests.multisigBuild,
      answer: answers.builtMultisig,
      codes: [...buildingRefusals, 'InvalidPublicKey'],
    },
    (plan) =>
      plan.oneGroup('read.building.transfer', {
        ask: ({ body: { fromAddress, fromPublicKeys, destinations, gas, gasPrice } }) => {
          const unlock = unlockOf(fromAddress.lockupScript, fromPublicKeys, profile);
          const { group, lockupScript, unlockScript } = senderOf(fromAddress.lockupScript, unlock, groups);
          const payload = {
            lockupScript,
            unlockScript,
            destinations,
            gasAmount: gas,
            gasPrice: gasPrice?.toString(),
            // The requirement's formula is for one key only (protocol 07 §16.3).
            gasFormula: 'reference' as const,
            unminable: profile.unminable,
          };
          return { group, payload };
        },
        form: (reply) => {
          const { gasAmount, gasPrice, ...built } = builtForm(reply);
          return profile.multisigBuildGas ? { ...built, gasAmount, gasPrice } : built;
        },
      }),
  );

const sweepEndpoint = ({ network: { groups }, brand, requests, answers, profile }: Edge): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/multisig/sweep',
      tag: 'Multi-signature',
      summary: 'Build the transactions that move everything from a multisig address',
      description: `${howSweepsEnd} Each transaction is submitted with its own m signatures.`,
      synced: true,
      body: requests.multisigSweep,
      answer: answers.sweepBuilt,
      codes: [...buildingRefusals, 'InvalidPublicKey', 'BlockNotFound'],
    },
    (plan) =>
      plan.oneGroup('read.building.sweep', {
        ask: ({ body }) => {
          const { lockupScript } = body.fromAddress;
          const unlock = unlockOf(lockupScript, body.fromPublicKeys, profile);
          const { group, ...scripts } = senderOf(lockupScript, unlock, groups);
          return { group, payload: { ...scripts, ...sweepPayload(body, brand), unminable: profile.unminable } };
        },
        form: sweepForm,
      }),
  );

const submitEndpoint = (edge: Edge): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/multisig/submit',
      tag: 'Multi-signature',
      summary: 'Submit a transaction with its signatures',
      synced: true,
      body: edge.requests.multisigSubmit,
      answer: edge.answers.submitted,
      codes: submitRefusals,
    },
    () => submitPlan(edge, ({ signatures }: { unsignedTx: string; signatures: Uint8Array[] }) => signatures),
  );

/** Protocol 07 §9. */
export const multisigEndpoints = (edge: Edge): Endpoint[] => [
  addressEndpoint(edge),
  buildEndpoint(edge),
  sweepEndpoint(edge),
  submitEndpoint(edge),
];

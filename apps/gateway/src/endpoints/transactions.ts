import { bytesToHex, decode, encode } from '@shardnode/protocol/encoding';
import {
  chainIndexOf,
  transactionCodec,
  transactionTemplateCodec,
  type UnsignedTransaction,
} from '@shardnode/protocol/transaction';
import { ServiceError } from '@shardnode/core/errors';
import { buildingRefusals, errorOf, required, submitRefusals, transactionIdText } from '@shardnode/http';
import { firstGroup, type BuiltTransaction, type GroupClient, type OptionalChain } from '@shardnode/messages';
import { endpoint, type Endpoint, type RequestInput } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { path, query, someChainsQuery } from '../endpoint/parameters.js';
import { plansFor, type Plan } from '../endpoint/plans.js';
import { senderOfKey } from '../endpoint/senders.js';
import { readUnsignedTransaction } from '../endpoint/transaction-bytes.js';
import { askedAlready } from '../status/asked-already.js';
import { type TransactionPlaces } from '../status/transaction-places.js';
import { findStatus } from '../status/transaction-status.js';

/** A built transaction as clients get it. */
export const builtForm = ({ unsignedTx, gasAmount, gasPrice, txId, fromGroup, toGroup }: BuiltTransaction) => ({
  unsignedTx: bytesToHex(unsignedTx),
  gasAmount,
  gasPrice,
  txId,
  fromGroup,
  toGroup,
});

const buildEndpoint = (edge: Edge): Endpoint => {
  const { requests, answers, profile } = edge;
  return endpoint(
    {
      method: 'POST',
      path: '/transactions/build',
      tag: 'Transactions',
      summary: 'Build a transfer of one key',
      description: 'Answers the unsigned transaction; sign its `txId`, then submit it.',
      synced: true,
      body: requests.build,
      answer: answers.built,
      codes: [...buildingRefusals, 'InvalidPublicKey', 'BlockNotFound'],
    },
    (plan) =>
      plan.oneGroup('read.building.transfer', {
        ask: ({
          body: { fromPublicKey, fromPublicKeyType, destinations, utxos, gasAmount, gasPrice, targetBlockHash },
        }) => {
          const { group, lockupScript, unlockScript } = senderOfKey(
            fromPublicKey,
            fromPublicKeyType ?? 'default',
            edge,
          );
          const payload = {
            lockupScript,
            unlockScript,
            destinations,
            gasAmount,
            gasPrice: gasPrice?.toString(),
            utxos,
            targetBlockHash,
            gasFormula: profile.gasFormula,
            unminable: profile.unminable,
          };
          return { group, payload };
        },
        form: builtForm,
      }),
  );
};

type SubmitInput<Body> = RequestInput<undefined, undefined, Body>;

/** Sends a signed transaction to the group of its inputs, and remembers that group for the questions that follow. */
export const submitPlan = <Body extends { readonly unsignedTx: string }>(
  { network: { groups }, places, submitWindows }: Edge,
  signaturesOf: (body: Body) => readonly Uint8Array[],
): Plan<
  { readonly params: undefined; readonly query: undefined; readonly body: Body },
  { txId: string; fromGroup: number; toGroup: number }
> =>
  plansFor<SubmitInput<Body>>().oneGroup('command.mempool.submit', {
    ask: ({ body }) => {
      const unsigned = readUnsignedTransaction(body.unsignedTx);
      const inputSignatures = signaturesOf(body);
      const template = encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
      return { group: chainIndexOf(unsigned, groups)!.from, payload: { template } };
    },
    gate: submitWindows,
    form: async ({ txId, fromGroup, toGroup }) => {
      await places.remember(txId, fromGroup);
      return { txId, fromGroup, toGroup };
    },
  });

const submitEndpoint = (edge: Edge): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/transactions/submit',
      tag: 'Transactions',
      summary: 'Submit a signed transaction',
      description: 'The same transaction may be submitted again: it is one transaction and the same answer.',
      synced: true,
      body: edge.requests.submit,
      answer: edge.answers.submitted,
      codes: submitRefusals,
    },
    () => submitPlan(edge, ({ signature }: { unsignedTx: string; signature: Uint8Array }) => [signature]),
  );

const statusEndpoint = ({ network: { groups }, answers, places, brand }: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/transactions/status',
      tag: 'Transactions',
      summary: 'Status of a transaction',
      query: query({ txId: required(transactionIdText), ...someChainsQuery(groups) }).required({ txId: true }),
      answer: answers.status,
    },
    (plan) =>
      plan.search(({ query: { txId, fromGroup: from, toGroup: to } }, { groups: client }) =>
        findStatus({ txId, from, to }, { groups: client, places, brand }),
      ),
  );

const transactionNotFound = (txId: string): ServiceError =>
  errorOf(
    'TransactionNotFound',
    `Transaction ${txId} is in no block of the main chain. Its status tells whether it waits.`,
    {
      resource: `Transaction ${txId}`,
    },
  );

type DetailsQuery = OptionalChain & { readonly txId: string };

const isNotFound = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'not-found';

/** Asks the group that the client names, else the one that is believed to have it, then all of them. */
const findDetails = async (
  query: DetailsQuery,
  groups: GroupClient,
  places: TransactionPlaces,
): Promise<Uint8Array> => {
  if (query.from !== undefined) return detailsOf(query, groups, query.from);
  const believed = await places.fromGroup(query.txId);
  if (believed === undefined) return searchDetails(query, groups);
  const asked = groups.request(believed, 'read.transaction.details', query);
  const found = await asked.catch(() => undefined);
  return found ? found.transaction : searchDetails(query, askedAlready(groups, believed, asked));
};

const detailsOf = async (query: DetailsQuery, groups: GroupClient, group: number): Promise<Uint8Array> => {
  try {
    return (await groups.request(group, 'read.transaction.details', query)).transaction;
  } catch (error) {
    throw isNotFound(error) ? transactionNotFound(query.txId) : error;
  }
};

const searchDetails = async (query: DetailsQuery, groups: GroupClient): Promise<Uint8Array> => {
  const found = await firstGroup(groups, 'read.transaction.details', query);
  if (!found) throw transactionNotFound(query.txId);
  return found.reply.transaction;
};

const detailsEndpoint = ({ network: { groups }, answers, places, forms }: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/transactions/details/{txId}',
      tag: 'Transactions',
      summary: 'A mined transaction in full',
      params: path({ txId: required(transactionIdText) }),
      query: query(someChainsQuery(groups)),
      answer: answers.transaction,
      codes: ['TransactionNotFound'],
    },
    (plan) =>
      plan.search(async ({ params: { txId }, query: { fromGroup: from, toGroup: to } }, { groups: client }) => {
        const bytes = await findDetails({ txId, from, to }, client, places);
        return forms.transaction(decode(transactionCodec, bytes));
      }),
  );

const decodeEndpoint = ({ network: { groups }, requests, answers, forms }: Edge): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/transactions/decode-unsigned-tx',
      tag: 'Transactions',
      summary: 'Decode an unsigned transaction',
      body: requests.decode,
      answer: answers.decoded,
      codes: ['InvalidHex', 'InvalidTransaction'],
    },
    (plan) =>
      plan.here(({ body: { unsignedTx } }) => {
        const unsigned: UnsignedTransaction = readUnsignedTransaction(unsignedTx);
        const { from, to } = chainIndexOf(unsigned, groups)!;
        return { fromGroup: from, toGroup: to, unsignedTx: forms.unsigned(unsigned) };
      }),
  );

/** Protocol 07 §8. */
export const transactionEndpoints = (edge: Edge): Endpoint[] => [
  buildEndpoint(edge),
  submitEndpoint(edge),
  statusEndpoint(edge),
  detailsEndpoint(edge),
  decodeEndpoint(edge),
];

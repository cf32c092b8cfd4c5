import { bytesToHex, decode, hexToBytes } from '@shardnode/protocol/encoding';
import { sign } from '@shardnode/protocol/crypto';
import { referenceOf, transactionId, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { type SpendableOutput } from '@shardnode/testing/builders';
import { type TestKey } from '@shardnode/testing/keys';
import { type ApiClient } from './api-client.js';
import {
  type BalanceForm,
  type BuiltForm,
  type ConfirmedForm,
  type DestinationForm,
  type OutputRef,
  type StatusForm,
  type SubmittedForm,
} from './api-forms.js';
import { patience } from './patience.js';
import { waitFor } from './wait-for.js';

export const oneCoin = 10n ** 18n;

export const build = (
  api: ApiClient,
  from: TestKey,
  destinations: readonly DestinationForm[],
  utxos?: readonly OutputRef[],
): Promise<BuiltForm> =>
  api.post('/transactions/build', {
    fromPublicKey: bytesToHex(from.publicKey),
    destinations,
    ...(utxos === undefined ? {} : { utxos: utxos.map(({ hint, key }) => ({ hint, key })) }),
  });

/** The outputs of an unsigned transaction, as one that spends them names them. */
export const outputsOf = (unsignedTx: string): SpendableOutput[] => {
  const unsigned = decode(unsignedTransactionCodec, hexToBytes(unsignedTx));
  const id = transactionId(unsigned);
  return unsigned.fixedOutputs.map((output, index) => ({ reference: referenceOf(output, id, index), output }));
};

/** As a careful client signs: the id is computed from the transaction, not taken from the answer. */
export const signOffline = (built: { readonly unsignedTx: string; readonly txId: string }, key: TestKey): string => {
  const id = transactionId(decode(unsignedTransactionCodec, hexToBytes(built.unsignedTx)));
  if (id !== built.txId) throw new Error(`the transaction built has the id ${id}, the answer says ${built.txId}`);
  return bytesToHex(sign(hexToBytes(id), key.privateKey));
};

export const submit = (api: ApiClient, unsignedTx: string, signature: string): Promise<SubmittedForm> =>
  api.post('/transactions/submit', { unsignedTx, signature });

/** Build, sign offline, submit. */
export const transfer = async (
  api: ApiClient,
  from: TestKey,
  destinations: readonly DestinationForm[],
): Promise<SubmittedForm> => {
  const built = await build(api, from, destinations);
  return submit(api, built.unsignedTx, signOffline(built, from));
};

/** The same for preparations, on a machine that is busy: what was not answered is asked again, the same bytes; then Confirmed. */
export const fundingTransfer = async (
  api: ApiClient,
  from: TestKey,
  destinations: readonly DestinationForm[],
): Promise<BuiltForm> => {
  const patient = { timeoutMs: patience(20_000), everyMs: 100 };
  const built = await waitFor('a transfer to be built', () => build(api, from, destinations), patient);
  const signature = signOffline(built, from);
  await waitFor('a transfer to be taken', () => submit(api, built.unsignedTx, signature), patient);
  await waitFor(
    'a transfer to be confirmed',
    async () => (await statusOf(api, built.txId)).type === 'Confirmed',
    patient,
  );
  return built;
};

export const statusOf = (api: ApiClient, txId: string): Promise<StatusForm> =>
  api.get(`/transactions/status?txId=${txId}`);

/** Polls the status as an exchange does, until it is Confirmed and `enough` holds. */
export const confirmed = (
  api: ApiClient,
  txId: string,
  enough: (status: ConfirmedForm) => boolean = () => true,
): Promise<ConfirmedForm> =>
  waitFor(`transaction ${txId} to be confirmed`, async () => {
    const status = await statusOf(api, txId);
    return status.type === 'Confirmed' && enough(status) && status;
  });

export const balanceOf = async (api: ApiClient, address: string): Promise<bigint> =>
  BigInt((await api.get<BalanceForm>(`/addresses/${address}/balance`)).balance);

export const chainHeight = async (api: ApiClient, from: number, to: number): Promise<number> =>
  (await api.get<{ currentHeight: number }>(`/blockflow/chain-info?fromGroup=${from}&toGroup=${to}`)).currentHeight;

/** Asks for one block and waits until the chain has grown by it. */
export const mineOneBlock = async (api: ApiClient, from: number, to: number): Promise<void> => {
  const before = await chainHeight(api, from, to);
  await api.post(`/miners/cpu-mining/mine-one-block?fromGroup=${from}&toGroup=${to}`);
  await waitFor(`a block on chain ${from},${to}`, async () => (await chainHeight(api, from, to)) > before);
};

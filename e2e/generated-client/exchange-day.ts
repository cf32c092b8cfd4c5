/*
 * What an exchange writes against the generated client: this file is compiled under `strict` with what the generator makes of
 * the description, and run (see ../generated-client.spec.ts).
 */
import createClient, { type Client } from 'openapi-fetch';
import { type components, type paths } from './api.js';
import { type DayReport, type Surroundings } from './day-report.js';

type Built = components['schemas']['BuildTransactionResult'];
type Confirmed = components['schemas']['Confirmed'];

/** The data of an answer, or an error with its text. */
const dataOf = <Data, Problem extends { readonly detail: string }>({
  data,
  error,
}: {
  readonly data?: Data;
  readonly error?: Problem;
}): Data => {
  if (data === undefined) throw new Error(error?.detail ?? 'no answer');
  return data;
};

const confirmed = async (client: Client<paths>, txId: string): Promise<Confirmed> => {
  for (let tries = 0; tries < 300; tries++) {
    const status = dataOf(await client.GET('/transactions/status', { params: { query: { txId } } }));
    if (status.type === 'Confirmed') return status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${txId} is not confirmed`);
};

const signedByWallet = async (client: Client<paths>, wallet_name: string, { txId, unsignedTx }: Built) => {
  const { signature } = dataOf(
    await client.POST('/wallets/{wallet_name}/sign', { params: { path: { wallet_name } }, body: { data: txId } }),
  );
  return dataOf(await client.POST('/transactions/submit', { body: { unsignedTx, signature } }));
};

/** From the morning to the evening: the wallet, a deposit, its block, a withdrawal of a designated output. */
export const exchangeDay = async (surroundings: Surroundings): Promise<DayReport> => {
  const { baseUrl, mnemonic, walletName, deposit, signAsCustomer } = surroundings;
  const client = createClient<paths>({ baseUrl });
  dataOf(await client.PUT('/wallets', { body: { password: 'a password', mnemonic, walletName } }));
  const wallet = { params: { path: { wallet_name: walletName } } };
  const { activeAddress } = dataOf(await client.GET('/wallets/{wallet_name}/addresses', wallet));
  const { publicKey } = dataOf(
    await client.GET('/wallets/{wallet_name}/addresses/{address}', {
      params: { path: { wallet_name: walletName, address: activeAddress } },
    }),
  );

  const built = dataOf(
    await client.POST('/transactions/build', {
      body: {
        fromPublicKey: publicKey,
        destinations: [{ address: deposit.address, attoCoinAmount: '3000000000000000001' }],
      },
    }),
  );
  const { txId } = await signedByWallet(client, walletName, built);
  const { blockHash, chainConfirmations } = await confirmed(client, txId);
  const ofDeposit = { params: { path: { address: deposit.address } } };
  const { balance } = dataOf(await client.GET('/addresses/{address}/balance', ofDeposit));

  const { block } = dataOf(
    await client.GET('/blockflow/blocks-with-events/{block_hash}', { params: { path: { block_hash: blockHash } } }),
  );
  const { timestamp } = block;
  if (typeof timestamp !== 'number') throw new Error('a timestamp that no double holds');
  const { blocks } = dataOf(
    await client.GET('/blockflow/blocks', { params: { query: { fromTs: timestamp, toTs: timestamp + 1 } } }),
  );

  const { utxos } = dataOf(await client.GET('/addresses/{address}/utxos', ofDeposit));
  const [utxo] = utxos;
  if (utxo === undefined) throw new Error('nothing to withdraw');
  const withdrawal = dataOf(
    await client.POST('/transactions/build', {
      body: {
        fromPublicKey: deposit.publicKey,
        destinations: [{ address: activeAddress, attoCoinAmount: '1 COIN' }],
        utxos: [utxo.ref],
      },
    }),
  );
  const signature = signAsCustomer(withdrawal.txId);
  const sent = dataOf(
    await client.POST('/transactions/submit', { body: { unsignedTx: withdrawal.unsignedTx, signature } }),
  );
  await confirmed(client, sent.txId);

  const tooMuch = await client.POST('/wallets/{wallet_name}/transfer', {
    ...wallet,
    body: { destinations: [{ address: deposit.address, amount: '2000000 COIN' }] },
  });
  const after = dataOf(await client.GET('/addresses/{address}/utxos', ofDeposit));
  return {
    activeAddress,
    confirmations: chainConfirmations,
    depositedAttoCoin: balance,
    blockHasTransaction: block.transactions.some(({ unsigned }) => unsigned.txId === txId),
    spentOutput: utxo.ref,
    unspentAfterwards: after.utxos.length,
    refusal: tooMuch.error?.detail ?? 'none',
    chains: blocks.length,
  };
};

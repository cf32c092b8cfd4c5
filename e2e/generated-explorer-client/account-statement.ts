/*
 * What an accountant writes against the generated client of the explorer: this file is compiled under `strict` with what
 * the generator makes of the description, and run (see ../explorer/described-api.spec.ts).
 */
import createClient, { type Client } from 'openapi-fetch';
import { type components, type paths } from './api.js';
import { type AccountStatement } from './statement-form.js';

type Transaction = components['schemas']['Transaction'];

interface Answered<Data> {
  readonly data?: Data;
  readonly error?: { readonly detail: string };
}

/** The data of an answer, or an error with its text. */
const dataOf = <Data>({ data, error }: Answered<Data>): Data => {
  if (data === undefined) throw new Error(error?.detail ?? 'no answer');
  return data;
};

const allTransactions = async (client: Client<paths>, address: string): Promise<Transaction[]> => {
  const list: Transaction[] = [];
  let cursor: string | undefined;
  do {
    const answer = await client.GET('/addresses/{address}/transactions', {
      params: { path: { address }, query: { limit: 3, ...(cursor === undefined ? {} : { cursor }) } },
    });
    list.push(...dataOf(answer));
    cursor = answer.response.headers.get('x-next-cursor') ?? undefined;
  } while (cursor !== undefined);
  return list;
};

const received = (address: string, { outputs }: Transaction): bigint =>
  outputs.reduce((sum, output) => (output.address === address ? sum + BigInt(output.attoCoinAmount) : sum), 0n);
const spent = (address: string, { inputs }: Transaction): bigint =>
  inputs.reduce((sum, input) => (input.address === address ? sum + BigInt(input.attoCoinAmount ?? 0) : sum), 0n);

/** The value of a field as a text, whatever its type. */
const fieldText = (field: components['schemas']['ContractState']['mutFields'][number]): string =>
  field.type === 'Bool' ? String(field.value) : field.value;

/** The account of an address as its transactions make it, and as the explorer says it; and the state of a contract. */
export const accountStatement = async (
  baseUrl: string,
  address: string,
  contract_address: string,
): Promise<AccountStatement> => {
  const client = createClient<paths>({ baseUrl });
  const ofAddress = { params: { path: { address } } };
  const { balance, txNumber } = dataOf(await client.GET('/addresses/{address}', ofAddress));
  const transactions = await allTransactions(client, address);
  const lockedUntil = transactions
    .flatMap(({ outputs }) => outputs)
    .flatMap((output) => (output.type === 'AssetOutput' && output.lockTime !== undefined ? [output.lockTime] : []));
  const tokens = dataOf(await client.GET('/addresses/{address}/tokens-balance', ofAddress));
  const body = tokens.map(({ tokenId }) => tokenId);
  const metadata = dataOf(await client.POST('/tokens/fungible-metadata', { body }));
  const state = dataOf(
    await client.GET('/contracts/{contract_address}/state', { params: { path: { contract_address } } }),
  );
  const heights = dataOf(await client.GET('/infos/heights'));
  const times = transactions.map(({ timestamp }) => Number(timestamp));
  const csv = dataOf(
    await client.GET('/addresses/{address}/export-transactions/csv', {
      params: { path: { address }, query: { fromTs: Math.min(...times), toTs: Math.max(...times) + 1 } },
      parseAs: 'text',
    }),
  );
  const refused = await client.GET('/blocks/{block_hash}', { params: { path: { block_hash: 'nonsense' } } });
  return {
    balance,
    computedBalance: transactions
      .reduce((sum, transaction) => sum + received(address, transaction) - spent(address, transaction), 0n)
      .toString(),
    txNumber,
    transactions: new Set(transactions.map(({ hash }) => hash)).size,
    lockedOutputs: lockedUntil.length,
    symbols: metadata.map(({ symbol }) => symbol),
    stateFields: [...state.immFields, ...state.mutFields].map(fieldText),
    chains: heights.length,
    exported: new Set(
      csv
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',')[3]),
    ).size,
    refusal: refused.error?.detail ?? '',
  };
};

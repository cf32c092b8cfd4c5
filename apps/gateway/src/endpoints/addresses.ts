import { type z } from 'zod';
import { zeroHash, type AssetLockupScript, type LockupScript } from '@shardnode/protocol/primitives';
import {
  address,
  amountHint,
  balanceForm,
  count,
  errorOf,
  flag,
  optional,
  required,
  scriptHex,
  wholeNumber,
  type AnswerSchemas,
} from '@shardnode/http';
import { type GroupClient, groupOfScript, type UtxoItem } from '@shardnode/messages';
import { endpoint, JsonText, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { joinedJson } from '../endpoint/joined-json.js';
import { walkedTexts } from '../endpoint/output-walk.js';
import { path, query } from '../endpoint/parameters.js';
import { type Clients, type Plan } from '../endpoint/plans.js';

type Utxo = z.output<AnswerSchemas['utxos']>['utxos'][number];

/** The contract of id zero is in the state of every group from the start, as an empty entry (protocol 07 §1.5). */
const isZeroContract = (script: LockupScript): boolean => script.kind === 'p2c' && script.contractId === zeroHash;

const utxoForm = ({ hint, key, amount, tokens, lockTime, additionalData }: UtxoItem): Utxo => ({
  ref: { hint, key },
  amount,
  ...(tokens.length > 0 ? { tokens: [...tokens] } : {}),
  lockTime: BigInt(lockTime) <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(lockTime) : lockTime,
  additionalData,
});

const addressPath = () => path({ address: required(address) });
const contractNotFound = (contract: string, detail = `Contract ${contract} not found`) =>
  errorOf('ContractNotFound', detail, { resource: `Contract ${contract}` });

/** Not a contract that might come to be: nowhere is a place for it (protocol 07 §1.9). */
const endsInNoGroup = (contract: string, groups: number) =>
  errorOf(
    'InvalidRequest',
    `The last byte of the id of contract ${contract} is no group: expected 0 to ${groups - 1}`,
    {
      field: 'address',
    },
  );

type AddressInput<Query> = {
  readonly params: { readonly address: { readonly text: string; readonly lockupScript: LockupScript } };
  readonly query: Query;
};

/** Asks the group of an address; of contracts only the one of id zero is there. */
const ofAddress = <Query, Answer>(
  groups: number,
  zeroContract: Answer,
  ask: (group: number, script: AssetLockupScript, query: Query, clients: Clients) => Promise<Answer>,
): Plan<AddressInput<Query>, Answer> => ({
  kind: 'one group',
  prepare: ({ params, query: given }) => {
    const { lockupScript, text } = params.address;
    if (isZeroContract(lockupScript)) return () => zeroContract;
    const group = groupOfScript(lockupScript, groups);
    if (group === undefined) throw endsInNoGroup(text, groups);
    if (lockupScript.kind === 'p2c') throw contractNotFound(text);
    return (clients) => ask(group, lockupScript, given, clients);
  },
});

const groupEndpoint = ({ network: { groups }, answers }: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/addresses/{address}/group',
      tag: 'Addresses',
      summary: 'Group of an address',
      params: addressPath(),
      answer: answers.group,
      codes: ['ContractNotFound'],
    },
    (plan) =>
      plan.here(({ params: { address: given } }) => {
        if (isZeroContract(given.lockupScript)) return { group: 0 };
        const group = groupOfScript(given.lockupScript, groups);
        if (given.lockupScript.kind === 'p2c' || group === undefined) {
          throw contractNotFound(given.text, 'Group not found. Please check another broker');
        }
        return { group };
      }),
  );

const balanceEndpoint = ({ network: { groups }, answers, brand }: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/addresses/{address}/balance',
      tag: 'Addresses',
      summary: 'Balance of an address',
      params: addressPath(),
      query: query({ mempool: optional(flag('Count transactions that wait to be mined; default true', true)) }),
      answer: answers.balance,
      codes: ['ContractNotFound'],
    },
    () =>
      ofAddress(
        groups,
        {
          balance: '1',
          balanceHint: amountHint('1', brand),
          lockedBalance: '0',
          lockedBalanceHint: amountHint('0', brand),
          utxoNum: 1,
        },
        async (group, script, { mempool = true }: { mempool?: boolean | undefined }, clients) =>
          balanceForm(
            await clients.groups.request(group, 'read.address.balance', { lockupScript: scriptHex(script), mempool }),
            brand,
          ),
      ),
  );

const largestPage = 100_000;

interface Page {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

const textOfUtxo = (utxo: UtxoItem): string => JSON.stringify(utxoForm(utxo));

/** Every output: in one message, or as many as it takes. */
const allUtxos = async (groups: GroupClient, group: number, lockupScript: string): Promise<JsonText> => {
  const { utxos, more } = await groups.request(group, 'read.address.utxos', { lockupScript });
  const texts = more ? await walkedTexts(groups, { group, lockupScript }, textOfUtxo) : utxos.map(textOfUtxo);
  return new JsonText(`{"utxos":[${texts.join(',')}]}`);
};

/** One page, in as many messages as it takes. */
const utxoPage = async (
  groups: GroupClient,
  group: number,
  { lockupScript, offset, limit }: { readonly lockupScript: string; readonly offset: number; readonly limit: number },
): Promise<JsonText> => {
  const found: UtxoItem[] = [];
  for (let more: true | undefined = true; more && found.length < limit;) {
    const rest = { lockupScript, offset: offset + found.length, limit: limit - found.length };
    const reply = await groups.request(group, 'read.address.utxos', rest);
    found.push(...reply.utxos);
    more = reply.utxos.length > 0 ? reply.more : undefined;
  }
  const warning = found.length === limit ? ',"warning":"Result might not contains all utxos"' : '';
  return new JsonText(`{"utxos":${await joinedJson(found, textOfUtxo)}${warning}}`);
};

const utxosEndpoint = ({ network: { groups }, answers }: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/addresses/{address}/utxos',
      tag: 'Addresses',
      summary: 'Unspent outputs of an address',
      description:
        'All of them; with a limit one page of them, by offset. Pages of an address with more than 2,000 outputs are in the order of their amounts, those without tokens first; all else is in the order of the references.',
      params: addressPath(),
      query: query({
        offset: optional(count('How many to leave out', 0)),
        limit: optional(wholeNumber(1, largestPage, 'How many at most; default: all, with an offset 100000', 1_000)),
      }),
      answer: answers.utxos,
      codes: ['ContractNotFound'],
    },
    () =>
      ofAddress<Page, z.output<AnswerSchemas['utxos']> | JsonText>(
        groups,
        { utxos: [{ ref: { hint: 0, key: zeroHash }, amount: '1' }] },
        (group, script, { offset, limit }, { groups: client }) => {
          const lockupScript = scriptHex(script);
          if (limit === undefined && !offset) return allUtxos(client, group, lockupScript);
          return utxoPage(client, group, { lockupScript, offset: offset ?? 0, limit: limit ?? largestPage });
        },
      ),
  );

/** Protocol 07 §6. */
export const addressEndpoints = (edge: Edge): Endpoint[] => [
  groupEndpoint(edge),
  balanceEndpoint(edge),
  utxosEndpoint(edge),
];

import { type z } from 'zod';
import { type Semaphore } from '@shardnode/core/concurrency';
import { zeroHash, type Hash, type LockupScript } from '@shardnode/protocol/primitives';
import {
  address,
  amountHint,
  balanceForm,
  count,
  flag,
  optional,
  required,
  scriptHex,
  wholeNumber,
  type AnswerSchemas,
} from '@shardnode/http';
import {
  type ContractAssetReply,
  type GroupClient,
  groupOfScript,
  type GroupRequests,
  type UtxoItem,
} from '@shardnode/messages';
import { endpoint, JsonText, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { joinedJson } from '../endpoint/joined-json.js';
import { walkedTexts } from '../endpoint/output-walk.js';
import { largeAnswers } from '../endpoint/large-answers.js';
import { path, query } from '../endpoint/parameters.js';
import { renamed, type Clients, type Plan } from '../endpoint/plans.js';
import { contractUnknown, endsInNoGroup } from './contracts.js';

type UtxosAnswer = z.output<AnswerSchemas['utxos']>;
type Utxo = UtxosAnswer['utxos'][number];

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

type AddressInput<Query> = {
  readonly params: { readonly address: { readonly text: string; readonly lockupScript: LockupScript } };
  readonly query: Query;
};

/** What a client asks of an asset address, and whom. */
interface AddressQuestion<Query> {
  readonly group: number;
  /** Encoded, hex. */
  readonly lockupScript: string;
  readonly query: Query;
}

/** How the group of an address is asked, by what the address is of. */
interface Questions<Query, Answer> {
  /** Of the contract of id zero. */
  readonly zeroContract: Answer;
  readonly ofScript: (question: AddressQuestion<Query>, clients: Clients) => Promise<Answer>;
  readonly ofContract: (group: number, asset: ContractAssetReply) => Answer;
  readonly missingContract: (address: string, contractId: Hash) => Error;
}

const assetOfContract = (
  group: number,
  contractId: Hash,
  missing: () => Error,
  clients: Clients,
): Promise<ContractAssetReply> =>
  renamed(clients.groups.request(group, 'read.contract.asset', { contractId }), missing);

/** Asks the group of an address. */
const ofAddress = <Query, Answer>(
  groups: number,
  { zeroContract, ofScript, ofContract, missingContract }: Questions<Query, Answer>,
): Plan<AddressInput<Query>, Answer> => ({
  kind: 'one group',
  prepare: ({ params, query: given }) => {
    const { lockupScript, text } = params.address;
    if (isZeroContract(lockupScript)) return () => zeroContract;
    const group = groupOfScript(lockupScript, groups);
    if (group === undefined) throw endsInNoGroup(text, groups);
    if (lockupScript.kind === 'p2c') {
      const { contractId } = lockupScript;
      const missing = (): Error => missingContract(text, contractId);
      return async (clients) => ofContract(group, await assetOfContract(group, contractId, missing, clients));
    }
    const question = { group, lockupScript: scriptHex(lockupScript), query: given };
    return (clients) => ofScript(question, clients);
  },
});

const groupEndpoint = ({ network: { groups }, answers }: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/addresses/{address}/group',
      tag: 'Addresses',
      summary: 'Group of an address',
      description: 'Of a contract it is told only while the contract is there.',
      params: addressPath(),
      answer: answers.group,
      codes: ['ContractNotFound'],
    },
    () => ({
      kind: 'one group',
      prepare: ({ params: { address: given } }) => {
        const { lockupScript, text } = given;
        if (isZeroContract(lockupScript)) return () => ({ group: 0 });
        const group = groupOfScript(lockupScript, groups);
        if (group === undefined) throw contractUnknown(text);
        if (lockupScript.kind !== 'p2c') return () => ({ group });
        const { contractId } = lockupScript;
        return async (clients) => {
          await assetOfContract(group, contractId, () => contractUnknown(text), clients);
          return { group };
        };
      },
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
      ofAddress(groups, {
        zeroContract: {
          balance: '1',
          balanceHint: amountHint('1', brand),
          lockedBalance: '0',
          lockedBalanceHint: amountHint('0', brand),
          utxoNum: 1,
        },
        ofScript: async ({ group, lockupScript, query: { mempool = true } }, { groups: client }) =>
          balanceForm(await client.request(group, 'read.address.balance', { lockupScript, mempool }), brand),
        ofContract: (_group, { amount, tokens }) =>
          balanceForm(
            { balance: amount, lockedBalance: '0', tokenBalances: tokens, lockedTokenBalances: [], utxoNum: 1 },
            brand,
          ),
        missingContract: contractUnknown,
      }),
  );

const largestPage = 100_000;

interface Page {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

const textOfUtxo = (utxo: UtxoItem): string => JSON.stringify(utxoForm(utxo));

const utxosText = (texts: readonly string[]): string => `{"utxos":[${texts.join(',')}]}`;

/** A text that takes some of the room for large answers, until it is gone. */
const largeText = async (large: Semaphore, make: () => Promise<string>): Promise<JsonText> => {
  const leave = await large.acquire();
  try {
    return new JsonText(await make(), leave);
  } catch (error) {
    leave();
    throw error;
  }
};

/** Where the outputs of an address are asked for. */
interface UtxoSource {
  readonly groups: GroupClient;
  readonly group: number;
  readonly lockupScript: string;
  readonly large: Semaphore;
}

/** Every output: in one message, or as many as it takes. */
const allUtxos = async ({ groups, group, lockupScript, large }: UtxoSource): Promise<JsonText> => {
  const { utxos, more } = await groups.request(group, 'read.address.utxos', { lockupScript });
  if (!more) return new JsonText(utxosText(utxos.map(textOfUtxo)));
  return largeText(large, async () => utxosText(await walkedTexts(groups, { group, lockupScript }, textOfUtxo)));
};

/** Outputs of a page from which on it is a large answer, and has more than one message in any case. */
const largePage = 10_000;

/** One page, in as many messages as it takes. */
const utxoPage = async (
  source: UtxoSource,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<JsonText> => {
  const { groups, group, lockupScript, large } = source;
  const step = (from: number): Promise<GroupRequests['read.address.utxos']['reply']> =>
    groups.request(group, 'read.address.utxos', { lockupScript, offset: offset + from, limit: limit - from });
  const first = await step(0);
  const make = async (): Promise<string> => {
    const found = [...first.utxos];
    for (let more = first.more; more && found.length < limit;) {
      const reply = await step(found.length);
      found.push(...reply.utxos);
      more = reply.utxos.length > 0 ? reply.more : undefined;
    }
    const warning = found.length === limit ? ',"warning":"Result might not contains all utxos"' : '';
    return `{"utxos":${await joinedJson(found, textOfUtxo)}${warning}}`;
  };
  return first.more && limit > largePage ? largeText(large, make) : new JsonText(await make());
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
    () => {
      const large = largeAnswers();
      return ofAddress<Page, UtxosAnswer | JsonText>(groups, {
        zeroContract: { utxos: [{ ref: { hint: 0, key: zeroHash }, amount: '1' }] },
        ofScript: ({ group, lockupScript, query: { offset, limit } }, { groups: client }) => {
          const source = { groups: client, group, lockupScript, large };
          if (limit === undefined && !offset) return allUtxos(source);
          return utxoPage(source, { offset: offset ?? 0, limit: limit ?? largestPage });
        },
        ofContract: (_group, { reference, amount, tokens }) => ({
          utxos: [{ ref: { ...reference }, amount, ...(tokens.length > 0 ? { tokens: [...tokens] } : {}) }],
        }),
        missingContract: contractUnknown,
      });
    },
  );

/** Protocol 07 §6. */
export const addressEndpoints = (edge: Edge): Endpoint[] => [
  groupEndpoint(edge),
  balanceEndpoint(edge),
  utxosEndpoint(edge),
];

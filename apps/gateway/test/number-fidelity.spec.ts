import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { builtTransaction } from '@shardnode/messages';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import {
  transactionCodec,
  transactionTemplateCodec,
  unsignedTransactionCodec,
  type UnsignedTransaction,
} from '@shardnode/protocol/transaction';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

const unsignedTx =
  '00040080004e20c1174876e8000137a444479fa782e8b88d4f95e28b3b2417e5bc30d33a5ae8486d4a8885b82b224259c1e6000381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b002c40de0b6b3a7640000003388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c00000000000000000000c6d3c20de6fb3cb00f000000bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a00000000000000000000';
const txId = '3bc965b60d4c9daf20a6c0ad0dfffd1ae1cf1ec95cc623222b95f2a5e73c6af8';
const keys = [
  '0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0',
  '0350050343db45152af7eb4dd56e7956bea08ee5783ed2a016ee22b1318a9c6b25',
  '028bff16a5102770af5ef0171887cdc0f7dd8b8923f6533806fa3bff637ebcfbfb',
];
const address = '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF';
/** 2 of the 3 keys. */
const multisig =
  'X48a5EME3x3VQYavYHsE2WWWBLTyW71CCrpoKJsTx7M2NNN9TAbviDnc1dXwXHZX7iXk6SPdqCH997P3eQfSBvcp3DYJvvqG3dek23Zxnh7WfZXjtMAQkuCbr8NGFC3a8GzJ65';
const tokenId = 'ab'.repeat(32);

const uint256Max = 2n ** 256n - 1n;
const oneCoin = 10n ** 18n;
/** Where doubles, 64 bits and the coin's decimals end, and everything between. */
const amounts = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n + 1n, uint256Max),
  fc.constantFrom(oneCoin - 1n, oneCoin, oneCoin + 1n, 10n ** 27n + 1n),
  fc.bigInt({ min: 0n, max: uint256Max }),
);

/** `123.000000000000000004 COIN` */
const inCoins = (value: bigint): string => `${value / oneCoin}.${String(value % oneCoin).padStart(18, '0')} COIN`;

/** The ways in which one value can be written; only amounts of the coin have the last two. */
const textForms: readonly ((value: bigint) => unknown)[] = [
  String,
  (value) => `000${value}`,
  (value) => (value < 2n ** 53n ? Number(value) : String(value)),
];
const coinForms = [...textForms, inCoins, (value: bigint) => `+${value}`];

/** A field that takes an amount: where it stands in the body, and in what the services are asked. */
interface AmountField {
  readonly path: string;
  readonly asked: string;
  readonly forms: readonly ((value: bigint) => unknown)[];
}

interface Case {
  readonly path: string;
  readonly body: object;
  readonly fields: readonly AmountField[];
}

const destination = { address, tokens: [{ id: tokenId, amount: '1' }] };
const coins = (path: string, asked: string): AmountField => ({ path, asked, forms: coinForms });
const digits = (path: string, asked = path): AmountField => ({ path, asked, forms: textForms });
const destinationFields = (within: string, name: string, asked = within): AmountField[] => [
  coins(`${within}.0.${name}`, `${asked}.0.amount`),
  digits(`${within}.0.tokens.0.amount`, `${asked}.0.tokens.0.amount`),
];
const gasPrice = digits('gasPrice');
const fromMultisig = { fromAddress: multisig, fromPublicKeys: [keys[0], keys[2]] };

const cases: readonly Case[] = [
  {
    path: '/transactions/build',
    body: { fromPublicKey: keys[0], destinations: [destination] },
    fields: [...destinationFields('destinations', 'attoCoinAmount'), gasPrice],
  },
  {
    path: '/transactions/build-multi-addresses',
    body: { from: [{ fromPublicKey: keys[0], destinations: [destination] }] },
    fields: [...destinationFields('from.0.destinations', 'attoCoinAmount', 'sources.0.destinations'), gasPrice],
  },
  {
    path: '/transactions/sweep-address/build',
    body: { fromPublicKey: keys[0], toAddress: address },
    fields: [coins('maxAttoCoinPerUTXO', 'maxAmountPerUtxo'), gasPrice],
  },
  {
    path: '/multisig/build',
    body: { ...fromMultisig, destinations: [destination] },
    fields: [...destinationFields('destinations', 'amount'), gasPrice],
  },
  {
    path: '/multisig/sweep',
    body: { ...fromMultisig, toAddress: address },
    fields: [coins('maxAttoCoinPerUTXO', 'maxAmountPerUtxo'), gasPrice],
  },
  {
    path: '/wallets/w/transfer',
    body: { destinations: [destination] },
    fields: [...destinationFields('destinations', 'amount'), gasPrice],
  },
  { path: '/wallets/w/sweep-active-address', body: { toAddress: address }, fields: [gasPrice] },
  { path: '/wallets/w/sweep-all-addresses', body: { toAddress: address }, fields: [gasPrice] },
];

const at = (value: Json, path: string): Json => path.split('.').reduce((inner, name) => inner?.[name], value);
/** A copy of the body in which these fields have these values. */
const filled = (body: object, values: readonly (readonly [string, unknown])[]): Json => {
  const copy: Json = structuredClone(body);
  for (const [path, value] of values) {
    const names = path.split('.');
    const parent = names.slice(0, -1).reduce((inner: Json, name) => inner[name], copy);
    parent[names.at(-1)!] = value;
  }
  return copy;
};

const built = {
  unsignedTx: hexToBytes(unsignedTx),
  txId,
  gasAmount: 20_000,
  gasPrice: '100000000000',
  fromGroup: 0,
  toGroup: 1,
};
const runs = { numRuns: 60 };

describe('amounts keep every digit', () => {
  let network: FakeNetwork;
  let asked: Json;
  beforeAll(async () => {
    network = await startFakeNetwork();
    const heard =
      (reply: unknown) =>
      (request: unknown): never => {
        asked = request;
        return reply as never;
      };
    network.groups['read.building.transfer'] = heard(built);
    network.groups['read.building.many-senders'] = heard(built);
    network.groups['read.building.sweep'] = heard({ transactions: [built], fromGroup: 0, toGroup: 1, more: false });
    network.wallet.transfer = heard({ txId, fromGroup: 0, toGroup: 1 });
    network.wallet['sweep-active-address'] = heard({ results: [] });
    network.wallet['sweep-all-addresses'] = heard({ results: [] });
  });
  afterAll(() => network.stop());

  describe.each(cases.map((one) => [one.path, one] as const))('that %s is sent', (path, { body, fields }) => {
    const values = fc.tuple(...fields.map(({ forms }) => fc.tuple(amounts, fc.constantFrom(...forms))));

    it('up to 2^256 - 1, in each of their forms', async () => {
      await fc.assert(
        fc.asyncProperty(values, async (chosen) => {
          asked = undefined;
          const sent = fields.map((field, index) => [field.path, chosen[index]![1](chosen[index]![0])] as const);
          const answer = await network.send('POST', path, filled(body, sent));
          expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.anything()]);
          expect(fields.map((field) => at(asked, field.asked))).toEqual(chosen.map(([value]) => value.toString()));
        }),
        runs,
      );
    });

    it.each(fields.map((field) => [field.path, field] as const))(
      'or are refused: %s that no double or no 256 bits hold',
      async (field) => {
        const valid = fields.map((other) => [other.path, '5'] as const);
        const good = filled(body, valid);
        // As a JSON number: digits may be lost on the way, so it is refused whatever they are (00-decisions, 25).
        const numbers = fc.bigInt({ min: 2n ** 53n, max: uint256Max });
        await fc.assert(
          fc.asyncProperty(numbers, async (value) => {
            asked = undefined;
            const marked = JSON.stringify(filled(good, [[field, '@']])).replace('"@"', value.toString());
            const { status, text } = await network.send('POST', path, marked);
            expect([status, asked, text.includes(field.split('.').at(-1)!)]).toEqual([400, undefined, true]);
          }),
          { numRuns: 20 },
        );
        const tooLarge = fc.bigInt({ min: uint256Max + 1n, max: 2n ** 300n });
        await fc.assert(
          fc.asyncProperty(tooLarge, async (value) => {
            asked = undefined;
            const { status, text } = await network.send('POST', path, filled(good, [[field, value.toString()]]));
            expect([status, asked, text.includes(field.split('.').at(-1)!)]).toEqual([400, undefined, true]);
          }),
          { numRuns: 20 },
        );
      },
    );
  });

  const unsignedWith = (amount: bigint, token: bigint, price: bigint): UnsignedTransaction => {
    const unsigned = decode(unsignedTransactionCodec, hexToBytes(unsignedTx));
    const tokens = token === 0n ? [] : [{ id: tokenId, amount: token }];
    return {
      ...unsigned,
      gasPrice: price,
      fixedOutputs: unsigned.fixedOutputs.map((output) => ({ ...output, amount, tokens })),
    };
  };
  const shown = ({ gasPrice: price, fixedOutputs }: Json): unknown => ({
    price,
    amounts: fixedOutputs.map((output: Json) => [
      output.attoCoinAmount,
      output.tokens.map((token: Json) => token.amount),
    ]),
  });
  const expected = (amount: bigint, token: bigint, price: bigint): unknown => ({
    price: price.toString(),
    amounts: [1, 2].map(() => [amount.toString(), token === 0n ? [] : [token.toString()]]),
  });

  it('in transactions that are decoded, mined or waiting', async () => {
    await fc.assert(
      fc.asyncProperty(amounts, amounts, amounts, async (amount, token, price) => {
        const unsigned = unsignedWith(amount, token, price);
        const template = { unsigned, inputSignatures: [], scriptSignatures: [] };
        const transaction = {
          ...template,
          scriptExecutionOk: true,
          contractInputs: [],
          generatedOutputs: [],
        };
        network.groups['read.transaction.details'] = () => ({
          transaction: encode(transactionCodec, transaction),
          blockHash: tokenId,
          txIndex: 0,
        });
        network.groups['read.mempool.list'] = (_request, group) =>
          group === 0
            ? { transactions: [{ from: 0, to: 1, template: encode(transactionTemplateCodec, template) }], total: 1 }
            : { transactions: [], total: 0 };
        // What is sent may not pay more than one coin for its gas.
        const payable = price % (oneCoin / BigInt(unsigned.gasAmount));
        const decoded = await network.send('POST', '/transactions/decode-unsigned-tx', {
          unsignedTx: bytesToHex(encode(unsignedTransactionCodec, unsignedWith(amount, token, payable))),
        });
        expect(shown(decoded.body.unsignedTx)).toEqual(expected(amount, token, payable));
        const mined = await network.send('GET', `/transactions/details/${txId}?fromGroup=0&toGroup=1`);
        expect(shown(mined.body.unsigned)).toEqual(expected(amount, token, price));
        const waiting = await network.send('GET', '/mempool/transactions');
        expect(shown(waiting.body[0].transactions[0].unsigned)).toEqual(expected(amount, token, price));
      }),
      runs,
    );
  });

  it('in balances, outputs and what was built', async () => {
    await fc.assert(
      fc.asyncProperty(amounts, amounts, async (amount, token) => {
        const [text, tokenText] = [amount.toString(), token.toString()];
        const tokens = [{ id: tokenId, amount: tokenText }];
        network.groups['read.address.balance'] = () => ({
          balance: text,
          lockedBalance: text,
          tokenBalances: tokens,
          lockedTokenBalances: tokens,
          utxoNum: 1,
        });
        const { body: balance } = await network.send('GET', `/addresses/${address}/balance`);
        expect([balance.balance, balance.lockedBalance, balance.tokenBalances[0].amount]).toEqual([
          text,
          text,
          tokenText,
        ]);
        network.groups['read.address.utxos'] = () => ({
          utxos: [{ hint: 1, key: tokenId, amount: text, tokens, lockTime: '0', additionalData: '' }],
        });
        const { body: outputs } = await network.send('GET', `/addresses/${address}/utxos?limit=10`);
        expect([outputs.utxos[0].amount, outputs.utxos[0].tokens[0].amount]).toEqual([text, tokenText]);

        network.wallet.balances = () => ({
          totalBalance: text,
          balances: [{ address, balance: text, lockedBalance: text }],
        });
        const wallet = await network.send('GET', '/wallets/w/balances');
        // Integer literals: read as text, a parser of doubles would round them (protocol 07 §1.8).
        expect(wallet.text).toContain(`{"totalBalance":${text},`);
        expect(wallet.text).toContain(`"balance":${text},`);
        expect(wallet.text).toContain(`"lockedBalance":"${text}"`);

        network.groups['read.building.transfer'] = (request) => {
          asked = request;
          return builtTransaction(unsignedWith(1n, 0n, amount), 4);
        };
        const { body: answer } = await network.send('POST', '/transactions/build', {
          fromPublicKey: keys[0],
          destinations: [{ address, attoCoinAmount: '1' }],
        });
        expect(answer.gasPrice).toBe(text);
      }),
      runs,
    );
  });
});

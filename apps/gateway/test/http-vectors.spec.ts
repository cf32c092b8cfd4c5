import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressOf, multisigOf, p2pkhOf, parseAddress } from '@shardnode/protocol/address';
import {
  BuildRefusal,
  buildTransfer,
  estimateGas,
  selectUtxos,
  utxoSourceOf,
  type Utxo,
} from '@shardnode/protocol/building';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import {
  formatAmountHint,
  groupOfLockupScript,
  lockupScriptCodec,
  parseAmount,
  type AssetLockupScript,
} from '@shardnode/protocol/primitives';
import { statelessScriptCodec, statelessScriptHash } from '@shardnode/protocol/script';
import { toGroupOf, transactionId, unlockScriptCodec, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { developmentNetwork } from '@shardnode/protocol/network';
import { jsonTextWithIntegers, neutralBrand, timestampForm } from '@shardnode/http';
import { type BuildTransferRequest, type BuiltTransaction } from '@shardnode/messages';
import { documentedTextOf } from '@shardnode/testing/documented-texts';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { walletBalancesForm } from '../src/wallets/wallet-balances-form.js';
import { startFakeNetwork, type FakeGateway, type FakeNetwork } from './fakes/fake-network.js';

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

const file = 'http-examples.json';
const vectors = readVectors<Json>(file);
const network4 = { ...developmentNetwork, networkId: 0, blockTargetTime: 64_000n };

const unlockOf = (signers: number) =>
  signers === 1
    ? ({ kind: 'p2pkh', publicKey: new Uint8Array(33) } as const)
    : ({
        kind: 'p2mpkh',
        keys: Array.from({ length: signers }, (_, index) => ({ publicKey: new Uint8Array(33), index })),
      } as const);

const utxosOf = (list: Json[]): Utxo[] =>
  list.map((utxo, index) => ({
    reference: { hint: utxo.hint ?? 1, key: utxo.key ?? String(index).padStart(64, '0') },
    amount: BigInt(utxo.amount),
    tokens: (utxo.tokens ?? []).map((token: Json) => ({ id: token.id, amount: BigInt(token.amount) })),
    level: utxo.level ?? 0,
  }));

/** What a group-node does with a build, over the outputs of a vector. */
const buildFrom =
  (utxos: Utxo[]) =>
  (request: BuildTransferRequest): BuiltTransaction => {
    const sender = {
      lockupScript: decode(lockupScriptCodec, hexToBytes(request.lockupScript)) as AssetLockupScript,
      unlockScript: decode(unlockScriptCodec, hexToBytes(request.unlockScript)),
    };
    const outcome = buildTransfer(
      {
        networkId: 0,
        groups: 4,
        sender,
        destinations: request.destinations.map(({ lockupScript, amount }) => ({
          lockupScript: decode(lockupScriptCodec, hexToBytes(lockupScript)) as AssetLockupScript,
          amount: BigInt(amount),
          tokens: [],
        })),
        gasPrice: 100_000_000_000n,
        gasFormula: request.gasFormula,
        destinationGroups: 'one',
      },
      utxoSourceOf(utxos),
    );
    if (!outcome.ok) throw new Error(outcome.refusal.detail);
    const unsigned = outcome.value;
    return {
      unsignedTx: encode(unsignedTransactionCodec, unsigned),
      txId: transactionId(unsigned),
      gasAmount: unsigned.gasAmount,
      gasPrice: unsigned.gasPrice.toString(),
      fromGroup: groupOfLockupScript(sender.lockupScript, 4),
      toGroup: toGroupOf(unsigned, 4)!,
    };
  };

const selectionOf = (vector: Json, formula: 'document' | 'reference'): Json => {
  const names = new Map<string, string>();
  const named = (id: string): string => names.get(id) ?? (names.set(id, id.padEnd(64, '0')), names.get(id)!);
  const tokens = (list: Json[]) => list.map(({ id, amount }) => ({ id: named(id), amount: BigInt(amount) }));
  const utxos = utxosOf(vector.utxos).map((utxo, index) => ({ ...utxo, tokens: tokens(vector.utxos[index].tokens) }));
  try {
    const { picked, gas } = selectUtxos(utxoSourceOf(utxos), {
      coin: BigInt(vector.amount),
      tokens: tokens(vector.tokens),
      gasPrice: BigInt(vector.gasPrice ?? 0),
      gasAmount: vector.kind === 'without-gas' ? 0 : vector.gasAmount,
      estimateGas: (inputs) => estimateGas(formula, unlockOf(1), inputs, vector.outputs),
    });
    return { selected: picked.map((utxo) => utxos.indexOf(utxo as (typeof utxos)[number])), gas };
  } catch (error) {
    if (!(error instanceof BuildRefusal)) throw error;
    const { code, text: detail, facts } = error;
    return { error: documentedTextOf({ code, detail, ...(facts && { facts }) }) };
  }
};

/** Errors whose request a test can send; the others belong to endpoints that are not served yet. */
const address = '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF';
const key = '0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0';
const buildBody = (more: object) => ({ fromPublicKey: key, destinations: [{ address, amount: '1 COIN' }], ...more });
const requestOf = (when: string): [string, string, unknown?] | undefined => {
  const known: Readonly<Record<string, [string, string, unknown?]>> = {
    'POST /wallets with mnemonicSize 2 (value at offset 94)': [
      'POST',
      '/wallets',
      { password: 'pw', walletName: 'w', mnemonicSize: 2 },
    ],
    'POST /wallets/w/sign {"data":"non-hex-data"}': ['POST', '/wallets/w/sign', { data: 'non-hex-data' }],
    'POST /wallets/w/sign with hex that is not 32 bytes': ['POST', '/wallets/w/sign', { data: '00' }],
    'GET /addresses/000/group (source: test of the SDK)': ['GET', '/addresses/000/group'],
    'GET /transactions/details/{unknown id}': ['GET', `/transactions/details/${'ab'.repeat(32)}`],
    'POST /wallets/wallet-name/unlock, no such wallet': ['POST', '/wallets/wallet-name/unlock', { password: 'p' }],
    'PATCH /wallets (Allow: POST,GET,PUT)': ['PATCH', '/wallets'],
    'HEAD /infos/node': ['HEAD', '/infos/node'],
    'GET /infos/version, Accept: text/html': ['GET', '/infos/version'],
    'a body of 10485761 bytes': ['POST', '/multisig/address', `"${'x'.repeat(10_485_759)}"`],
    'POST /utils/target-to-hashrate, empty body': ['POST', '/utils/target-to-hashrate', ' '],
    'POST /transactions/build gasAmount -1': ['POST', '/transactions/build', buildBody({ gasAmount: -1 })],
    'POST /transactions/build gasPrice "1 COIN"': ['POST', '/transactions/build', buildBody({ gasPrice: '1 COIN' })],
    'POST /transactions/build gasPrice 1e11 (number)': [
      'POST',
      '/transactions/build',
      JSON.stringify(buildBody({})).replace(/}$/, ',"gasPrice":1e11}'),
    ],
    'POST /transactions/build gasAmount 4294997296': [
      'POST',
      '/transactions/build',
      buildBody({ gasAmount: 4294997296 }),
    ],
    'POST /transactions/build gasAmount 20000.9': ['POST', '/transactions/build', buildBody({ gasAmount: 20000.9 })],
    'POST /transactions/decode-unsigned-tx with one byte too many': [
      'POST',
      '/transactions/decode-unsigned-tx',
      { unsignedTx: '00040080004e20c1174876e800000000' },
    ],
    'POST /wallets, the name exists': undefined as never,
    'POST /wallets/{unknown}/lock': ['POST', '/wallets/unknown/lock'],
  };
  if (when in known) return known[when];
  const plain =
    /^(GET|POST|PUT) (\/(?:nope|addresses|blockflow|wallets|transactions|multisig|infos\/version|miners\/cpu-mining\/mine|utils)[^ {},]*)(?: (.+))?$/.exec(
      when,
    );
  return plain && !plain[3]?.startsWith('with') ? [plain[1]!, plain[2]!, plain[3]] : undefined;
};

/** The part of a decode failure's text that is fixed: up to the bracket (protocol 07 §1.10, 00-decisions 6). */
const fixedPart = (detail: string): string =>
  /^Invalid value for: /.test(detail) ? detail.replace(/ \(.*$/s, '') : detail;

describe('vectors of the HTTP interface', () => {
  let network: FakeNetwork;
  /** With the texts that existing clients match. */
  let reference: FakeGateway;
  beforeAll(async () => {
    network = await startFakeNetwork({ network: network4 });
    reference = await network.addGateway({ network: network4, profile: 'reference' });
  });
  afterAll(() => network.stop());

  const sections: Record<string, (section: Json) => void> = {
    multisigAddress: ({ cases }) => {
      it.each(cases as Json[])(
        '$mrequired of $keys.length',
        async ({ keys, mrequired, address: expected, group, status, detail }) => {
          const answer = await reference.send('POST', '/multisig/address', { keys, mrequired });
          if (status) expect([answer.status, answer.body]).toEqual([status, { detail }]);
          else {
            expect(answer.body).toEqual({ address: expected });
            expect(addressOf(multisigOf(keys.map(hexToBytes), mrequired))).toBe(expected);
            expect((await network.send('GET', `/addresses/${expected}/group`)).body).toEqual({ group });
          }
        },
      );
    },
    p2pkhAddress: ({ cases }) => {
      it.each(cases as Json[])('$address', ({ publicKey, address: expected }) => {
        expect(addressOf(p2pkhOf(hexToBytes(publicKey)))).toBe(expected);
      });
    },
    schnorrAddress: ({ cases }) => {
      it.each(cases as Json[])('$address', async ({ publicKey, script, address: expected }) => {
        const code = decode(statelessScriptCodec, hexToBytes(script));
        expect(addressOf({ kind: 'p2sh', scriptHash: statelessScriptHash(code) })).toBe(expected);
        let asked: BuildTransferRequest | undefined;
        network.groups['read.building.transfer'] = (request) => {
          asked = request;
          throw new Error('enough');
        };
        // The key of the vector is no point of the curve, which our own profile refuses.
        await reference.send('POST', '/transactions/build', {
          ...buildBody({}),
          fromPublicKey: publicKey,
          fromPublicKeyType: 'bip340-schnorr',
        });
        expect(asked!.lockupScript).toBe(bytesToHex(encode(lockupScriptCodec, parseAddress(expected)!)));
        const unlock = decode(unlockScriptCodec, hexToBytes(asked!.unlockScript));
        expect(unlock.kind === 'p2sh' && bytesToHex(encode(statelessScriptCodec, unlock.script))).toBe(script);
      });
    },
    amountParse: ({ cases }) => {
      it.each(cases as Json[])('"$text"', ({ text, value }) => {
        expect(parseAmount(text, 'COIN')?.toString()).toBe(value);
      });
    },
    amountHint: ({ cases }) => {
      it.each(cases as Json[])('$value', ({ value, hint }) => {
        expect(formatAmountHint(BigInt(value), 'COIN')).toBe(hint);
      });
    },
    numberForms: ({ timestamps, walletBalances }) => {
      it.each((timestamps ?? []) as Json[])('timestamp $millis', ({ millis, jsonText }) => {
        expect(JSON.stringify(timestampForm(BigInt(millis)))).toBe(jsonText);
      });
      it.each((walletBalances ?? []) as Json[])('wallet balance as $switch', ({ switch: numbers, value, jsonText }) => {
        const { address: holder } = JSON.parse(jsonText);
        const reply = { totalBalance: value, balances: [{ address: holder, balance: value, lockedBalance: '0' }] };
        const [entry] = walletBalancesForm(reply, neutralBrand, numbers).balances;
        expect(jsonTextWithIntegers(entry)).toBe(jsonText);
      });
    },
    gas: ({ p2pkh, multisig2of3 }) => {
      it.each((p2pkh ?? []) as Json[])('$inputs inputs', ({ inputs, outputs, documentFormula, referenceFormula }) => {
        expect(estimateGas('document', unlockOf(1), inputs, outputs)).toBe(documentFormula);
        expect(estimateGas('reference', unlockOf(1), inputs, outputs)).toBe(referenceFormula);
      });
      it.each((multisig2of3 ?? []) as Json[])('2 of 3, $inputs inputs', ({ inputs, outputs, gas }) => {
        expect(estimateGas('reference', unlockOf(2), inputs, outputs)).toBe(gas);
      });
    },
    utxoSelection: ({ cases }) => {
      const wanted = (vector: Json): ['document' | 'reference', Json][] =>
        vector.kind === 'without-gas'
          ? [['document', vector]]
          : [
              ['document', vector.documentFormula],
              ['reference', vector.referenceFormula],
            ];
      it.each((cases as Json[]).map((vector, index) => [index, vector]))('%i', (_index, vector) => {
        for (const [formula, expected] of wanted(vector)) {
          if (!expected) continue;
          const got = selectionOf(vector, formula);
          if (expected.selected) expect(got.selected).toEqual(expected.selected);
          if (expected.gas !== undefined) expect(got.gas).toBe(expected.gas);
          const text = expected.error ?? expected.errorStartsWith;
          if (text) expect(got.error).toMatch(new RegExp(`^${text}`));
        }
      });
    },
    transferBuild: (section) => {
      let before: Json = {};
      const cases = (section.cases as Json[]).map((one) => {
        before = {
          ...one,
          utxos: Array.isArray(one.utxos) ? one.utxos : before.utxos,
          request: one.request ?? before.request,
        };
        return before;
      });
      it.each(cases)('$name', async ({ utxos, request, formula, response, decodedUnsignedTx }) => {
        const profile = formula === 'reference' ? 'reference' : 'document';
        const other = await startFakeNetwork({ network: network4, profile });
        other.groups['read.building.transfer'] = buildFrom(utxosOf(utxos));
        expect((await other.send('POST', '/transactions/build', request)).body).toEqual(response);
        const decoded = await other.send('POST', '/transactions/decode-unsigned-tx', {
          unsignedTx: response.unsignedTx,
        });
        if (decodedUnsignedTx) expect(decoded.body.unsignedTx).toEqual(decodedUnsignedTx);
        await other.stop();
      });
    },
    targetToHashrate: ({ cases }) => {
      it.each(cases as Json[])('$target', async ({ target, response, status = 200, detail }) => {
        const answer = await reference.send('POST', '/utils/target-to-hashrate', { target });
        expect([answer.status, answer.body]).toEqual([status, response ?? { detail }]);
      });
    },
    transactionStatus: ({ intraGroup, interGroup }) => {
      const all = [
        ...(intraGroup as Json[]).map((one) => ({ ...one, to: 0 })),
        ...(interGroup as Json[]).map((one) => ({ ...one, to: 1 })),
      ];
      it.each(all)('chain (0, $to), $after', async ({ status, to }) => {
        const blockHash = 'ab'.repeat(32);
        network.groups['read.transaction.status'] = (_request, group) =>
          group === 0 ? { ...status, blockHash, chainFrom: 0, chainTo: to } : { type: 'TxNotFound' };
        network.groups['read.view.includes'] = () => ({ included: true });
        const { body } = await network.send('GET', `/transactions/status?txId=${'cd'.repeat(32)}`);
        expect(body).toEqual({ ...status, blockHash });
      });
    },
    confirmedTexts: ({ texts }) => {
      it.each(texts as string[])('%s', async (text) => {
        network.groups['read.transaction.status'] = () =>
          text.includes('MemPooled') ? { type: 'MemPooled', chainFrom: 0, chainTo: 0 } : { type: 'TxNotFound' };
        expect((await network.send('GET', `/transactions/status?txId=${'ee'.repeat(32)}`)).text).toBe(text);
      });
    },
    errors: ({ cases }) => {
      // The texts of builders (500 there, 400 here) are tested where they are made.
      const ours = (cases as Json[]).filter(({ when, status }) => status !== 500 && requestOf(when) !== undefined);
      it.each(ours)('$when', async ({ when, status, body, bodyText }) => {
        const [method, path, sent] = requestOf(when)!;
        const answer = await reference.send(method, path, sent);
        expect(answer.status).toBe(status);
        if (body) expect(fixedPart(answer.body.detail)).toBe(fixedPart(body.detail));
        else expect(answer.text).toBe(bodyText.replaceAll('<txId>', path.split('/').at(-1)!));
      });
      it('most of them can be sent', () => expect(ours.length).toBeGreaterThanOrEqual(8));
    },
    errorsMeasured: ({ cases }) => {
      const ours = (cases as Json[]).filter(({ when }) => requestOf(when) !== undefined);
      it.each(ours)('$when', async ({ when, ours: expected, status }) => {
        const [method, path, sent] = requestOf(when)!;
        const answer = await network.send(method, path, sent);
        expect([expected ?? status].flat()).toContain(answer.status);
        if (answer.status !== 200 && method !== 'HEAD') expect(answer.body.detail).toMatch(/./);
      });
      it('most of them can be sent', () => expect(ours.length).toBeGreaterThanOrEqual(18));
    },
    // With the description of the API (openapi.spec.ts).
    shapes: () => it('fit the description', () => undefined),
  };

  for (const name of sectionsClaimedBy(file, 'http')) {
    describe(name, () => {
      // The project's own copy lacks some sections.
      if (vectors[name] === undefined) it.skip('is not in the copy', () => undefined);
      else sections[name]!(vectors[name]);
    });
  }
});

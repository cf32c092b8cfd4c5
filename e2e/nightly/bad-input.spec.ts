import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { sign } from '@shardnode/protocol/crypto';
import { transactionId, type UnsignedTransaction, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { withNegatedS } from '@shardnode/testing/signatures';
import { describeNetwork } from '../kit/deployment.js';
import { type Answer, type Method } from '../kit/api-client.js';
import { bodyEndpoints, parameterEndpoints } from '../kit/endpoints.js';
import { type Network, startNetwork } from '../kit/network.js';
import { build, confirmed, oneCoin, signOffline, submit } from '../kit/transfers.js';
import { jsonText, wrongParameters, wrongValues } from '../kit/wrong-values.js';

const walletName = 'bad-input';
const bodyLimit = 10_485_760;

/** A copy of a body with one value put in, or taken out when it is undefined. */
const withValue = (body: unknown, path: readonly string[], value: unknown): unknown => {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const index = Number(step);
  if (Array.isArray(body))
    return body.map((each, i) => (i === index ? withValue(each, rest, value) : (each as unknown)));
  const fields = body as Record<string, unknown>;
  return { ...fields, [step]: withValue(fields[step], rest, value) };
};

const detailOf = ({ text }: Answer): string => (JSON.parse(text) as { detail: string }).detail;

/** Code, text and field of an error in one line. */
const lessonOf = (answer: Answer): string =>
  `${String(answer.headers['x-error-code'])}: ${detailOf(answer)} [${String(answer.headers['x-error-field'])}]`;

/** Name of the field for people: the last name in the path, without positions. */
const nameOf = (path: string): string => path.split('.').findLast((step) => !/^\d+$/.test(step))!;

/** Nothing that a client sends brings the process down, and every refusal says which field is wrong. */
describeNetwork('bad input', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
    const { mnemonic } = network.ready;
    await network.api.put('/wallets', { password: 'right', mnemonic, walletName });
  });
  afterAll(() => network?.remove());

  /** Sends, and gives a line for each answer that is not a 400 naming the field. */
  const complaint = async (
    method: Method,
    path: string,
    rawBody: string | undefined,
    names: readonly string[],
  ): Promise<string | undefined> => {
    const answer = await network.api.send(method, path, { rawBody });
    const shown = `${method} ${path.slice(0, 120)} ${(rawBody ?? '').slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 200)}`;
    if (answer.status !== 400) return shown;
    const said = lessonOf(answer);
    if (!names.some((name) => said.includes(name))) return `${shown} (does not name ${names.join(' or ')})`;
    const missing = ['x-error-code', 'x-error-field'].filter((name) => answer.headers[name] === undefined);
    return missing.length === 0 ? undefined : `${shown} (without ${missing.join(' and ')})`;
  };

  describe.each(bodyEndpoints(walletName))('$method $path', ({ method, path, body, fields }) => {
    it.each(fields)('names $path', async (field) => {
      const steps = field.path.split('.');
      const values = [...wrongValues[field.kind], ...(field.required ? [null] : [])];
      const isElement = /^\d+$/.test(steps.at(-1)!);
      const bodies = values.map((value) => withValue(body, steps, value));
      if (field.required && !isElement) bodies.push(withValue(body, steps, undefined));
      const names = [nameOf(field.path), ...(field.named === undefined ? [] : [field.named])];
      const complaints: string[] = [];
      for (const wrong of bodies) {
        const found = await complaint(method, path, jsonText(wrong), names);
        if (found) complaints.push(found);
      }
      expect(complaints).toEqual([]);
    });

    it('names all mistakes at once', async () => {
      const names = fields.filter(({ required, path: at }) => required && !at.includes('.')).map((each) => each.path);
      const answer = await network.api.send(method, path, { rawBody: '{}' });
      expect(answer.status).toBe(400);
      for (const name of names) expect(detailOf(answer)).toContain(name);
    });

    it.each([
      '',
      ' ',
      '{',
      '[]',
      '[',
      '{"a":}',
      'nul',
      'null',
      '5',
      '"text"',
      '{"a":1}}',
      '{a:1}',
      "{'a':1}",
      '\u0000',
      '\ufeff{}{',
    ])('refuses the body %j', async (rawBody) => {
      const answer = await network.api.send(method, path, { rawBody });
      expect(answer.status).toBe(400);
      expect(detailOf(answer)).toMatch(/body/);
    });

    it('refuses a body that is nested deeply, or that lies about its form', async () => {
      const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      expect((await network.api.send(method, path, { rawBody: deep })).status).toBe(400);
      const poisoned = '{"__proto__":{"password":"x"},"constructor":{"prototype":{}}}';
      expect((await network.api.send(method, path, { rawBody: poisoned })).status).toBe(400);
    });
  });

  it('refuses a body over the limit with 413, and reads one of exactly the limit', async () => {
    const { api } = network;
    const padded = (length: number): string => {
      const start = '{"fromPublicKey":"';
      const end = '"}';
      return start + 'a'.repeat(length - start.length - end.length) + end;
    };
    const over = await api.send('POST', '/transactions/build', { rawBody: padded(bodyLimit + 1) });
    expect([over.status, over.headers['x-error-code']]).toEqual([413, 'BodyTooLarge']);
    expect(detailOf(over)).toMatch(/\d/);
    const exact = await api.send('POST', '/transactions/build', { rawBody: padded(bodyLimit) });
    expect(exact.status).toBe(400);
    expect(exact.text.length).toBeLessThan(2_000);
  });

  it.each(parameterEndpoints(walletName))('$method $path names its parameters', async (endpoint) => {
    const { method, path, query, parameters } = endpoint;
    const good: Record<string, string> = {
      address: network.funded[0]!.address,
      block_hash: 'ab'.repeat(32),
      txId: 'ab'.repeat(32),
    };
    const urlWith = (name: string, value: string | undefined): string => {
      const placed = path.replace(/\{(\w+)\}/, (_, place: string) =>
        encodeURIComponent(place === name ? (value ?? '') : good[place]!),
      );
      const given = path.includes(`{${name}}`) ? { ...query } : { ...query, [name]: value };
      const text = Object.entries(given).flatMap(([key, each]) =>
        each === undefined ? [] : [`${key}=${encodeURIComponent(each)}`],
      );
      return text.length === 0 ? placed : `${placed}?${text.join('&')}`;
    };
    const complaints: string[] = [];
    for (const { name, kind, required } of parameters) {
      const inPath = path.includes(`{${name}}`);
      const values: (string | undefined)[] = wrongParameters[kind].filter((value) => !inPath || value !== '');
      if (required) values.push(undefined);
      for (const value of values) {
        const found = await complaint(method, urlWith(name, value), undefined, [name]);
        if (found) complaints.push(found);
      }
    }
    expect(complaints).toEqual([]);
  });

  it.each<[Method, string, number]>([
    ['GET', '/nowhere', 404],
    ['GET', '/transactions', 404],
    ['GET', '/Transactions/build', 404],
    ['GET', '/%', 400],
    ['GET', '/addresses/%ff/balance', 400],
    ['GET', '/transactions/build', 405],
    ['DELETE', '/transactions/build', 405],
    ['PATCH', '/wallets', 405],
    ['PUT', '/infos/version', 405],
    ['GET', `/blockflow/blocks/${'ab'.repeat(32)}`, 404],
    ['GET', `/transactions/details/${'ab'.repeat(32)}`, 404],
    ['GET', '/wallets/nobody', 404],
    ['GET', '/wallets/..%2F..%2Fetc', 404],
    ['GET', '/blockflow/blocks?fromTs=10&toTs=0', 400],
    ['GET', '/blockflow/blocks?fromTs=1600000000000&toTs=1600001800001', 400],
    ['GET', '/blockflow/blocks?fromTs=1600000000&toTs=1600001800', 400],
    ['GET', '/blockflow/chain-info?fromGroup=0&fromGroup=1&toGroup=0', 400],
  ])('%s %s answers %i with a detail', async (method, path, status) => {
    const answer = await network.api.send(method, path);
    expect(answer.status).toBe(status);
    expect(detailOf(answer).length).toBeGreaterThan(5);
    expect(answer.headers['x-error-code']).toMatch(/^[A-Z]\w+$/);
  });

  describe('transactions', () => {
    const receiver = testKeyOfGroup(1);
    let unsigned: UnsignedTransaction;
    let unsignedTx: string;
    let signature: string;

    beforeAll(async () => {
      const { api, funded } = network;
      const built = await build(api, funded[0]!, [{ address: receiver.address, attoCoinAmount: oneCoin.toString() }]);
      unsignedTx = built.unsignedTx;
      unsigned = decode(unsignedTransactionCodec, hexToBytes(unsignedTx));
      signature = signOffline(built, funded[0]!);
    });

    const refusal = async (given: { readonly unsignedTx?: string; readonly signature?: string }): Promise<string> => {
      const answer = await network.api.send('POST', '/transactions/submit', {
        body: { unsignedTx, signature, ...given },
      });
      expect(answer.status).toBe(400);
      return lessonOf(answer);
    };
    /** Signed correctly by the sender, whatever it says. */
    const refusalOf = (change: Partial<UnsignedTransaction>): Promise<string> => {
      const changed = { ...unsigned, ...change };
      const id = hexToBytes(transactionId(changed));
      return refusal({
        unsignedTx: bytesToHex(encode(unsignedTransactionCodec, changed)),
        signature: bytesToHex(sign(id, network.funded[0]!.privateKey)),
      });
    };

    it('are refused when they are cut off, at whatever place, or too long', async () => {
      for (let length = 0; length < unsignedTx.length; length += 2) {
        expect(await refusal({ unsignedTx: unsignedTx.slice(0, length) })).toContain('unsignedTx');
      }
      expect(await refusal({ unsignedTx: `${unsignedTx}00` })).toMatch(/Too many bytes.*unsignedTx/);
      expect(await refusal({ unsignedTx: unsignedTx + unsignedTx })).toContain('unsignedTx');
      const answer = await network.api.send('POST', '/transactions/decode-unsigned-tx', {
        body: { unsignedTx: `${unsignedTx}00` },
      });
      expect(answer.status).toBe(400);
      expect(lessonOf(answer)).toMatch(/Too many bytes.*unsignedTx/);
    });

    it('are refused when they are for another network', async () => {
      expect(await refusalOf({ networkId: 0 })).toContain('InvalidNetworkId');
      expect(await refusalOf({ networkId: -1 })).toContain('InvalidNetworkId');
      expect(await refusalOf({ version: 1 })).toContain('InvalidTxVersion');
    });

    it('are refused when the signature is not the right one', async () => {
      const bytes = hexToBytes(signature);
      const highS = bytesToHex(withNegatedS(bytes));
      const flipped = bytesToHex(bytes.map((byte, i) => (i === 40 ? byte ^ 1 : byte)));
      const other = bytesToHex(sign(hexToBytes(transactionId(unsigned)), receiver.privateKey));
      const zero = '00'.repeat(64);
      const top = 'ff'.repeat(64);
      for (const wrong of [highS, flipped, other, zero, top]) {
        expect(await refusal({ signature: wrong })).toContain('InvalidSignature');
      }
    });

    it('are refused when they spend what is not there, or not theirs, or more than they have', async () => {
      const [input] = unsigned.inputs as [UnsignedTransaction['inputs'][number]];
      const [output, change] = unsigned.fixedOutputs as [
        UnsignedTransaction['fixedOutputs'][number],
        UnsignedTransaction['fixedOutputs'][number],
      ];
      expect(await refusalOf({ inputs: [] })).toMatch(/has no inputs/);
      expect(await refusalOf({ fixedOutputs: [] })).toContain('NoOutputs');
      expect(await refusalOf({ inputs: [input, input] })).toContain('TxDoubleSpending');
      const unknown = { ...input, outputReference: { ...input.outputReference, key: 'cd'.repeat(32) } };
      expect(await refusalOf({ inputs: [unknown] })).toContain('NonExistInput');
      const thief = { kind: 'p2pkh', publicKey: receiver.publicKey } as const;
      expect(await refusalOf({ inputs: [{ ...input, unlockScript: thief }] })).toContain('InvalidPublicKeyHash');
      const greedy = { ...change, amount: change.amount + 1n };
      expect(await refusalOf({ fixedOutputs: [output, greedy] })).toContain('InvalidCoinBalance');
      const small = { ...output, amount: 10n ** 15n - 1n };
      expect(await refusalOf({ fixedOutputs: [small, change] })).toContain('InvalidOutputStats');
      const huge = { ...output, amount: 2n ** 256n - 1n };
      expect(await refusalOf({ fixedOutputs: [huge, change] })).toMatch(/BalanceOverFlow/);
    });

    it('are refused when gas is too little or too dear', async () => {
      expect(await refusalOf({ gasAmount: 19_999 })).toContain('InvalidStartGas');
      expect(await refusalOf({ gasAmount: 625_001 })).toContain('InvalidStartGas');
      expect(await refusalOf({ gasPrice: 10n ** 11n - 1n })).toContain('InvalidGasPrice');
      expect(await refusalOf({ gasAmount: 625_000, gasPrice: 10n ** 13n })).toMatch(/above the cap of 1 COIN/);
    });

    it('are refused as builds, when what would be built can never be mined', async () => {
      const { api, funded } = network;
      const good = {
        fromPublicKey: bytesToHex(funded[0]!.publicKey),
        destinations: [{ address: receiver.address, attoCoinAmount: '1000000000000000000' }],
      };
      const [destination] = good.destinations;
      const wrong: [Record<string, unknown>, RegExp][] = [
        [{ destinations: [] }, /no destinations/],
        [{ destinations: Array.from({ length: 257 }, () => destination) }, /257 destinations are too many/],
        [
          { destinations: [{ ...destination, attoCoinAmount: '1' }] },
          /destinations\[0\]: the amount is read as 0.000000000000000001 COIN \(1 attoCoin\)/,
        ],
        [{ destinations: [{ ...destination, attoCoinAmount: `1${'0'.repeat(26)}` }] }, /Not enough balance/],
        [{ destinations: [{ ...destination, message: '00'.repeat(257) }] }, /message/],
        [{ destinations: [{ ...destination, amount: '1 COIN' }] }, /amount.*attoCoinAmount/],
        [{ gasAmount: 19_999 }, /19999 is below 20000/],
        [{ gasAmount: 625_001 }, /625001 is above 625000/],
        [{ gasPrice: '99999999999' }, /below 0.0000001 COIN/],
        [{ utxos: [] }, /list of chosen outputs is empty/],
        [{ utxos: [{ hint: 2, key: 'ab'.repeat(32) }] }, /utxos\[0\] is an output of a contract/],
        [{ fromPublicKeyType: 'rsa' }, /fromPublicKeyType/],
        [
          { destinations: [destination, { ...destination, address: testKeyOfGroup(2).address }] },
          /destinations\[1\] is of group 2/,
        ],
      ];
      for (const [change, says] of wrong) {
        const answer = await api.send('POST', '/transactions/build', { body: { ...good, ...change } });
        expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringMatching(says)]);
      }
    });

    it('are refused as multisig, when keys are too many, too few, repeated or in another order', async () => {
      const { api } = network;
      const keys = [testKeyOfGroup(0), testKeyOfGroup(1), testKeyOfGroup(2)].map((key) => bytesToHex(key.publicKey));
      for (const mrequired of [0, 4]) {
        const answer = await api.send('POST', '/multisig/address', { body: { keys, mrequired } });
        expect([answer.status, detailOf(answer)]).toEqual([
          400,
          expect.stringMatching(/^mrequired is \d, but must be from 1 to 3/),
        ]);
      }
      const { address } = await api.post<{ address: string }>('/multisig/address', { keys, mrequired: 2 });
      const destinations = [{ address: receiver.address, amount: '1 COIN' }];
      const signers: [unknown[], RegExp][] = [
        [[keys[0]], /exactly 2 sign, but 1 is given/],
        [keys, /exactly 2 sign, but 3 are given/],
        [[keys[1], keys[0]], /order/],
        [[keys[0], keys[0]], /different|order/],
        [
          [keys[0], bytesToHex(receiver.publicKey).replace(/..$/, '00')],
          /^fromPublicKeys\[1\].*(no point of the curve|none of the 3 keys)/,
        ],
      ];
      for (const [fromPublicKeys, says] of signers) {
        const body = { fromAddress: address, fromPublicKeys, destinations };
        const answer = await api.send('POST', '/multisig/build', { body });
        expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringMatching(says)]);
      }
      const notMultisig = await api.send('POST', '/multisig/build', {
        body: { fromAddress: receiver.address, fromPublicKeys: keys.slice(0, 2), destinations },
      });
      expect([notMultisig.status, detailOf(notMultisig)]).toEqual([400, 'The sender is no multisig address.']);
    });

    it('may be any bytes: 300 random changes, and the original is still good', async () => {
      const bytes = hexToBytes(unsignedTx);
      let state = 12345;
      const random = (limit: number): number => {
        state = (state * 1103515245 + 12345) & 0x7fffffff;
        return state % limit;
      };
      for (let i = 0; i < 300; i++) {
        const changed = bytes.slice();
        for (let n = random(4); n >= 0; n--) changed[random(changed.length)] = random(256);
        const mutated = bytesToHex(changed);
        if (mutated === unsignedTx) continue;
        const answer = await network.api.send('POST', '/transactions/submit', {
          body: { unsignedTx: mutated, signature },
        });
        expect([400, answer.text]).toEqual([answer.status, answer.text]);
      }
      const { txId } = await submit(network.api, unsignedTx, signature);
      await confirmed(network.api, txId);
    });
  });

  it('all the while the process was up, and nothing was its own fault', async () => {
    const { api, deployment } = network;
    expect((await api.send('GET', '/infos/version')).status).toBe(200);
    const faults = api.exchanges.filter(({ answer }) => (answer?.status ?? 500) >= 500);
    expect(faults.map(({ method, path, answer }) => `${method} ${path} ${answer?.text}`)).toEqual([]);
    expect(deployment.log()).not.toMatch(/unhandled|uncaught/i);
    expect(await api.get('/wallets')).toEqual([{ walletName, locked: false }]);
  });
});

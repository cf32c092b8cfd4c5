import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { transactionCodec, transactionTemplateCodec, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

/** A transfer of the first genesis allocation from group 0 to group 1 on the development network. */
const unsignedTx =
  '00040080004e20c1174876e8000137a444479fa782e8b88d4f95e28b3b2417e5bc30d33a5ae8486d4a8885b82b224259c1e6000381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b002c40de0b6b3a7640000003388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c00000000000000000000c6d3c20de6fb3cb00f000000bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a00000000000000000000';
const txId = '3bc965b60d4c9daf20a6c0ad0dfffd1ae1cf1ec95cc623222b95f2a5e73c6af8';
const signature =
  '0e6f0e113692e59a6aebdae933ad515699fc9d8e1141e45757bc142f9fc111db1d56cb526fe46895e558fc1514df57628aa6ee6a7d64bd5bae1888d19f10e817';
const fromPublicKey = '0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0';
const receiver = '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF';
const built = {
  unsignedTx: hexToBytes(unsignedTx),
  txId,
  gasAmount: 20_000,
  gasPrice: '100000000000',
  fromGroup: 0,
  toGroup: 1,
};
const unknownId = 'aa'.repeat(32);
const confirmed = {
  type: 'Confirmed',
  blockHash: 'ab'.repeat(32),
  txIndex: 0,
  chainFrom: 0,
  chainTo: 1,
  chainConfirmations: 1,
  fromGroupConfirmations: 0,
  toGroupConfirmations: 0,
} as const;
const { chainFrom: _from, chainTo: _to, ...confirmedForm } = confirmed;

describe('transactions over HTTP', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
  });
  afterAll(() => network.stop());
  afterEach(() => {
    for (const name of Object.keys(network.groups)) {
      if (name !== 'read.node.status') delete network.groups[name as keyof typeof network.groups];
    }
  });

  it('build asks the group of the sender, with both names and forms of the amount', async () => {
    const asked: unknown[] = [];
    network.groups['read.building.transfer'] = (request, group) => {
      asked.push({ group, amount: request.destinations[0]!.amount, formula: request.gasFormula });
      return built;
    };
    for (const destination of [
      { attoCoinAmount: '1 COIN' },
      { amount: '1000000000000000000' },
      { amount: '1.0 COIN', attoCoinAmount: null },
      { attoCoinAmount: '+1000000000000000000' },
    ]) {
      const { status, body } = await network.send('POST', '/transactions/build', {
        fromPublicKey,
        destinations: [{ address: receiver, ...destination }],
      });
      expect(body).toEqual({
        unsignedTx,
        gasAmount: 20_000,
        gasPrice: '100000000000',
        txId,
        fromGroup: 0,
        toGroup: 1,
      });
      expect(status).toBe(200);
    }
    expect(asked).toEqual(
      Array.from({ length: 4 }, () => ({ group: 0, amount: '1000000000000000000', formula: 'document' })),
    );
  });

  it('build hands on everything that a client may say', async () => {
    let seen: unknown;
    network.groups['read.building.transfer'] = (request) => {
      seen = request;
      return built;
    };
    const key = 'bb'.repeat(32);
    await network.send('POST', '/transactions/build', {
      fromPublicKey: fromPublicKey.toUpperCase(),
      fromPublicKeyType: 'default',
      destinations: [
        {
          address: receiver,
          attoCoinAmount: 1_000_000,
          tokens: [{ id: key, amount: 5 }],
          lockTime: '4385002872679507624',
          message: 'C0FFEE',
        },
      ],
      utxos: [{ hint: -5, key }],
      gasAmount: '30000',
      gasPrice: 200_000_000_000,
      targetBlockHash: unknownId,
      somethingElse: true,
    });
    expect(seen).toMatchObject({
      destinations: [
        {
          amount: '1000000',
          tokens: [{ id: key, amount: '5' }],
          lockTime: '4385002872679507624',
          message: 'c0ffee',
        },
      ],
      utxos: [{ hint: -5, key }],
      gasAmount: 30_000,
      gasPrice: '200000000000',
      targetBlockHash: unknownId,
    });
  });

  it('submit sends the template to the group of the first input', async () => {
    let sent: { group: number; template: Uint8Array } | undefined;
    network.groups['command.mempool.submit'] = ({ template }, group) => {
      sent = { group, template };
      return { txId, fromGroup: 0, toGroup: 1 };
    };
    const { status, body } = await network.send('POST', '/transactions/submit', { unsignedTx, signature });
    expect([status, body]).toEqual([200, { txId, fromGroup: 0, toGroup: 1 }]);
    expect(sent!.group).toBe(0);
    const template = decode(transactionTemplateCodec, sent!.template);
    expect(bytesToHex(encode(unsignedTransactionCodec, template.unsigned))).toBe(unsignedTx);
    expect(template.inputSignatures.map(bytesToHex)).toEqual([signature]);
  });

  it('a refusal is a 400 with the text of the group-node under the brand', async () => {
    network.groups['read.building.transfer'] = () => {
      throw new ServiceError('refused', 'AmountBelowDust', 'Not enough {COIN} for transaction output');
    };
    const body = { fromPublicKey, destinations: [{ address: receiver, amount: '1' }] };
    const answer = await network.send('POST', '/transactions/build', body);
    expect([answer.status, answer.text]).toEqual([400, '{"detail":"Not enough COIN for transaction output"}']);
    expect(answer.headers.get('x-error-code')).toBe('AmountBelowDust');
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  it('decode tells the fields of a transaction', async () => {
    const { status, body } = await network.send('POST', '/transactions/decode-unsigned-tx', { unsignedTx });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      fromGroup: 0,
      toGroup: 1,
      unsignedTx: {
        txId,
        version: 0,
        networkId: 4,
        gasAmount: 20_000,
        gasPrice: '100000000000',
        inputs: [{ outputRef: { hint: 933512263 }, unlockScript: `00${fromPublicKey}` }],
      },
    });
    expect(Object.keys(body.unsignedTx.fixedOutputs[0])).toEqual([
      'hint',
      'key',
      'attoCoinAmount',
      'address',
      'tokens',
      'lockTime',
      'message',
    ]);
    expect(body.unsignedTx.fixedOutputs[0]).toMatchObject({
      hint: 1900212619,
      attoCoinAmount: '1000000000000000000',
      address: receiver,
      tokens: [],
      lockTime: 0,
      message: '',
    });
  });

  const noHexadecimal = 'unsignedTx is not hexadecimal: an even number of digits 0 to 9 and a to f.';
  const undecodable: [string, string, string][] = [
    ['no hexadecimal', 'xyz', noHexadecimal],
    ['odd length', 'abc', noHexadecimal],
    ['empty', '', 'unsignedTx is not an unsigned transaction: Too few bytes: expected 1, got 0'],
    ['no inputs', '00040080004e20c1174876e8000000', 'The transaction has no inputs: it needs at least one.'],
    ['cut off', '0004', 'unsignedTx is not an unsigned transaction: Too few bytes: expected 1, got 0'],
    [
      'a byte too many',
      `${unsignedTx}00`,
      'unsignedTx is not an unsigned transaction: Too many bytes: expected 200, got 201',
    ],
  ];
  it.each(undecodable)('submit and decode refuse a transaction that is %s', async (_name, text, detail) => {
    for (const [path, body] of [
      ['/transactions/decode-unsigned-tx', { unsignedTx: text }],
      ['/transactions/submit', { unsignedTx: text, signature }],
      ['/multisig/submit', { unsignedTx: text, signatures: [signature] }],
    ] as const) {
      const answer = await network.send('POST', path, body);
      expect([answer.status, answer.body.detail.replace(/expected \d{3}, got \d{3}/, 'expected 200, got 201')]).toEqual(
        [400, detail],
      );
    }
  });

  it('decode makes no form of what no valid transaction has', async () => {
    const unsigned = decode(unsignedTransactionCodec, hexToBytes(unsignedTx));
    const [input, output] = [unsigned.inputs[0]!, unsigned.fixedOutputs[0]!];
    const toKeys = (count: number) => {
      const publicKeyHashes = Array.from({ length: count }, () => '01'.repeat(32));
      return { ...output, lockupScript: { kind: 'p2mpkh', publicKeyHashes, m: 1 } } as const;
    };
    const answerTo = async (change: Partial<typeof unsigned>) => {
      const text = bytesToHex(encode(unsignedTransactionCodec, { ...unsigned, ...change }));
      const { status, body } = await network.send('POST', '/transactions/decode-unsigned-tx', { unsignedTx: text });
      return status === 200 ? status : [status, body.detail];
    };
    const refused = (reason: string) => [400, `unsignedTx is not an unsigned transaction: ${reason}`];
    const inputs = (count: number) => Array.from({ length: count }, () => input);
    const fixedOutputs = (count: number) => Array.from({ length: count }, () => output);
    expect(await answerTo({ inputs: inputs(256), fixedOutputs: [...fixedOutputs(255), toKeys(16)] })).toBe(200);
    expect(await answerTo({ inputs: inputs(257) })).toEqual(refused('it has 257 inputs, at most 256'));
    expect(await answerTo({ fixedOutputs: fixedOutputs(257) })).toEqual(refused('it has 257 outputs, at most 256'));
    expect(await answerTo({ fixedOutputs: [output, toKeys(16_000)] })).toEqual(
      refused('output 2 of 2 goes to an address of 16000 keys, at most 16'),
    );
  });

  it('decode and submit refuse scripts with very many byte strings', async () => {
    const unsigned = decode(unsignedTransactionCodec, hexToBytes(unsignedTx));
    const debug = (count: number) => ({ code: 0x7e, operand: Array.from({ length: count }, () => Uint8Array.of(1)) });
    const method = { isPublic: true, assetModifier: 0, argsLength: 0, localsLength: 0, returnLength: 0 };
    const script = (count: number) => ({ methods: [{ ...method, instructions: [debug(count)] }] });
    const refusal = 'unsignedTx is not an unsigned transaction: Too many byte strings: expected at most 16384';
    const [input] = unsigned.inputs as [(typeof unsigned.inputs)[number]];
    const unlockScript = { kind: 'p2sh', script: script(100_000), parameters: [] } as const;
    for (const change of [{ script: script(100_000) }, { inputs: [{ ...input, unlockScript }] }]) {
      const text = bytesToHex(encode(unsignedTransactionCodec, { ...unsigned, ...change }));
      for (const path of ['decode-unsigned-tx', 'submit']) {
        const answer = await network.send('POST', `/transactions/${path}`, { unsignedTx: text, signature });
        expect([answer.status, answer.body.detail]).toEqual([400, refusal]);
      }
    }
    const text = bytesToHex(encode(unsignedTransactionCodec, { ...unsigned, script: script(2_000) }));
    const { status } = await network.send('POST', '/transactions/decode-unsigned-tx', { unsignedTx: text });
    expect(status).toBe(200);
  });

  it('a fee above the cap is refused before anybody is asked', async () => {
    const unsigned = decode(unsignedTransactionCodec, hexToBytes(unsignedTx));
    const dear = bytesToHex(encode(unsignedTransactionCodec, { ...unsigned, gasPrice: 50_000_000_000_001n }));
    const answer = await network.send('POST', '/transactions/submit', { unsignedTx: dear, signature });
    expect([answer.status, answer.body.detail]).toEqual([
      400,
      'The fee of 20000 gas at 0.000050000000000001 COIN (50000000000001 attoCoin) is 1.00000000000002 COIN (1000000000000020000 attoCoin), above the cap of 1 COIN (1000000000000000000 attoCoin). Lower the gas price.',
    ]);
  });

  it('builds and submits are refused while their group is behind, and by that group alone; reads are not', async () => {
    const behind = await startFakeNetwork();
    const isBehind = { current: 0 };
    behind.groups['read.node.status'] = (_request, group) => ({
      group,
      synced: group !== isBehind.current,
      reason: 'gaps are being pulled',
      mempoolSize: 0,
    });
    behind.groups['command.mempool.submit'] = (_request, group) => {
      if (group !== isBehind.current) return { txId: '01'.repeat(32), fromGroup: group, toGroup: group };
      const detail = `The node has not caught up with the network (group ${group}: gaps are being pulled): ask again in a few seconds.`;
      throw new ServiceError('unavailable', 'NotSynced', detail, { group });
    };
    const submit = () => behind.send('POST', '/transactions/submit', { unsignedTx, signature });
    const answer = await submit();
    expect([answer.status, answer.body.detail]).toEqual([
      503,
      'The node has not caught up with the network (group 0: gaps are being pulled): ask again in a few seconds.',
    ]);
    expect((await behind.send('GET', '/infos/self-clique')).body).toMatchObject({ selfReady: true, synced: false });
    isBehind.current = 2;
    expect((await submit()).status).toBe(200);
    // What needs no state is checked before (07 §1.11).
    const wrong = await behind.send('POST', '/transactions/submit', { unsignedTx: 'zz', signature });
    expect([wrong.status, wrong.body.detail]).toEqual([400, noHexadecimal]);
    await behind.stop();
  });

  describe('status', () => {
    it('asks all groups when none is given, Confirmed before MemPooled', async () => {
      network.groups['read.transaction.status'] = async (_request, group) => {
        if (group === 1) return { type: 'MemPooled', chainFrom: 0, chainTo: 1 };
        if (group !== 0) return { type: 'TxNotFound' };
        await new Promise((resolve) => setTimeout(resolve, 20));
        return confirmed;
      };
      network.groups['read.view.includes'] = () => ({ included: true });
      const { body } = await network.send('GET', `/transactions/status?txId=${'01'.repeat(32)}`);
      expect(body).toEqual(confirmedForm);
    });

    it('pending at the group that owns its chain waits for nobody else', async () => {
      let release = (): void => undefined;
      const silent = new Promise<void>((resolve) => (release = resolve));
      network.groups['read.transaction.status'] = async (_request, group) => {
        if (group === 0) return { type: 'MemPooled', chainFrom: 0, chainTo: 1 };
        if (group === 3) await silent;
        return { type: 'TxNotFound' };
      };
      const { text } = await network.send('GET', `/transactions/status?txId=${'04'.repeat(32)}`);
      release();
      expect(text).toBe('{"type":"MemPooled"}');
    });

    it('after a submit asks the group of the sender alone', async () => {
      network.groups['command.mempool.submit'] = () => ({ txId, fromGroup: 0, toGroup: 1 });
      await network.send('POST', '/transactions/submit', { unsignedTx, signature });
      const asked: number[] = [];
      network.groups['read.transaction.status'] = (_request, group) => {
        asked.push(group);
        return { type: 'MemPooled', chainFrom: 0, chainTo: 1 };
      };
      expect((await network.send('GET', `/transactions/status?txId=${txId}`)).text).toBe('{"type":"MemPooled"}');
      expect(asked).toEqual([0]);
    });

    it('Confirmed waits until the group of the receiver shows the block, once', async () => {
      const id = '02'.repeat(32);
      const blockHash = '12'.repeat(32);
      let asked = 0;
      let included = false;
      network.groups['read.transaction.status'] = (_request, group) =>
        group === 0 ? { ...confirmed, blockHash } : { type: 'TxNotFound' };
      network.groups['read.view.includes'] = (request, group) => {
        expect([request, group]).toEqual([{ blockHash }, 1]);
        asked++;
        return { included };
      };
      const status = async () => (await network.send('GET', `/transactions/status?txId=${id}`)).body.type;
      expect(await status()).toBe('MemPooled');
      included = true;
      expect(await status()).toBe('Confirmed');
      expect(await status()).toBe('Confirmed');
      expect(asked).toBe(2);
    });

    it('of a transaction inside a group asks nobody else', async () => {
      network.groups['read.transaction.status'] = (_request, group) =>
        group === 2 ? { ...confirmed, chainFrom: 2, chainTo: 2 } : { type: 'TxNotFound' };
      const { body } = await network.send('GET', `/transactions/status?txId=${'03'.repeat(32)}`);
      expect(body.type).toBe('Confirmed');
    });

    it('tells why an accepted transaction left unmined', async () => {
      const reason = { code: 'TxExpired', detail: 'it waited too long' };
      network.groups['read.transaction.status'] = (_request, group) =>
        group === 3 ? { type: 'TxNotFound', reason } : { type: 'TxNotFound' };
      const { body } = await network.send('GET', `/transactions/status?txId=${unknownId}`);
      expect(body).toEqual({ type: 'TxNotFound', reason });
    });

    it('of an unknown transaction is TxNotFound, also in the groups that are given', async () => {
      const asked: unknown[] = [];
      network.groups['read.transaction.status'] = (request, group) => {
        asked.push([group, request.from, request.to]);
        return { type: 'TxNotFound' };
      };
      for (const more of ['', '&fromGroup=1&toGroup=1']) {
        const { text } = await network.send('GET', `/transactions/status?txId=${unknownId}${more}`);
        expect(text).toBe('{"type":"TxNotFound"}');
      }
      expect(asked.at(-1)).toEqual([1, 1, 1]);
    });
  });

  describe('details', () => {
    const genesis = genesisBlock(developmentNetwork, { from: 0, to: 0 });
    const transaction = genesis.transactions[0]!;

    it('come from whichever group has them', async () => {
      network.groups['read.transaction.details'] = (_request, group) => {
        if (group !== 3) throw new ServiceError('not-found', 'TransactionNotFound', 'not here');
        return { transaction: encode(transactionCodec, transaction), blockHash: genesis.header.hash, txIndex: 0 };
      };
      const { status, body } = await network.send('GET', `/transactions/details/${'04'.repeat(32)}`);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual([
        'unsigned',
        'scriptExecutionOk',
        'contractInputs',
        'generatedOutputs',
        'inputSignatures',
        'scriptSignatures',
      ]);
      expect(body.unsigned.fixedOutputs[0]).toMatchObject({
        hint: 933512263,
        key: '9fa782e8b88d4f95e28b3b2417e5bc30d33a5ae8486d4a8885b82b224259c1e6',
        attoCoinAmount: '1000000000000000000000000',
        address: '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH',
      });
    });

    describe('asked with groups that are not those of the transaction', () => {
      const txId = '05'.repeat(32);
      const blockHash = genesisBlock(developmentNetwork, { from: 3, to: 1 }).header.hash;
      const reply = { transaction: encode(transactionCodec, transaction), blockHash, txIndex: 0 };
      const detailsOf = ({ from, to }: { readonly from?: number; readonly to?: number }, group: number) => {
        if (group === 3 && (from ?? 3) === 3 && (to ?? 1) === 1) return reply;
        throw new ServiceError('not-found', 'TransactionNotFound', 'not here');
      };

      it.each([
        ['fromGroup=2&toGroup=1', 'from group 2 to group 1', 'fromGroup'],
        ['fromGroup=3&toGroup=0', 'from group 3 to group 0', 'toGroup'],
        ['fromGroup=0', 'from group 0', 'fromGroup'],
        ['toGroup=2', 'to group 2', 'toGroup'],
      ])('%s: those are named', async (asked, chain, field) => {
        network.groups['read.transaction.details'] = detailsOf;
        const { status, body, headers } = await network.send('GET', `/transactions/details/${txId}?${asked}`);
        expect([status, body]).toEqual([
          404,
          {
            resource: `Transaction ${txId}`,
            detail: `Transaction ${txId} is in no block ${chain}, but in one from group 3 to group 1: ask with fromGroup=3&toGroup=1, or without groups.`,
          },
        ]);
        expect(headers.get('x-error-field')).toBe(field);
      });

      it('and another group is away: nothing is said of its blocks', async () => {
        network.groups['read.transaction.details'] = (query, group) => {
          if (group === 1) throw new ServiceError('unavailable', 'NoResponder', 'away');
          return detailsOf({ to: 3, ...query }, group);
        };
        const { status, body } = await network.send('GET', `/transactions/details/${txId}?fromGroup=2&toGroup=1`);
        expect([status, body.detail]).toEqual([
          404,
          `Transaction ${txId} is in no block from group 2 to group 1. Its status tells whether it waits.`,
        ]);
      });
    });

    it('of an unknown transaction are a 404 that names it', async () => {
      for (const more of ['', '?fromGroup=2&toGroup=1']) {
        const answer = await network.send('GET', `/transactions/details/${unknownId}${more}`);
        expect([answer.status, answer.text]).toEqual([
          404,
          `{"resource":"Transaction ${unknownId}","detail":"Transaction ${unknownId} is in no block of the main chain. Its status tells whether it waits."}`,
        ]);
      }
    });
  });

  it('a group that does not answer is a 503 that names it, for those who need it', async () => {
    const away = await startFakeNetwork();
    away.groups['read.address.balance'] = () => ({
      balance: '0',
      lockedBalance: '0',
      tokenBalances: [],
      lockedTokenBalances: [],
      utxoNum: 0,
    });
    await away.stopGroup(0);
    const balance = (address: string) => away.send('GET', `/addresses/${address}/balance`);
    const sender = await balance('1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH');
    expect(sender.status).toBe(503);
    expect(sender.body.detail).toContain('group 0');
    expect((await balance(receiver)).status).toBe(200);
    expect((await away.send('POST', '/transactions/submit', { unsignedTx, signature })).status).toBe(503);
    expect((await away.send('GET', `/transactions/status?txId=${unknownId}`)).status).toBe(503);
    expect((await away.send('GET', '/blockflow/blocks?fromTs=1600000000000&toTs=1600000000001')).status).toBe(503);
    expect((await away.send('GET', '/infos/self-clique')).body).toMatchObject({ selfReady: false, synced: false });
    expect((await away.send('GET', '/health/ready')).status).toBe(503);
    await away.startGroup(0);
    expect((await balance('1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH')).status).toBe(200);
    await away.stop();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { scriptHex } from '@shardnode/http';
import { type WalletRequestName } from '@shardnode/messages';
import { parseAddress } from '@shardnode/protocol/address';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const address = '15L9J68punrrGAoXGQjLu9dX5k1kDKehqfG5tFVWqJbG9';
const lockupScript = scriptHex(parseAddress(address)!);
const info = { address, publicKey: '02'.repeat(33), group: 2, path: "m/44'/1234'/0'/0/0" };

describe('wallets over HTTP', () => {
  let network: FakeNetwork;
  const asked: [WalletRequestName, unknown][] = [];
  beforeAll(async () => {
    network = await startFakeNetwork();
    const told = <Name extends WalletRequestName, Reply>(name: Name, reply: Reply) => {
      network.wallet[name] = ((request: unknown) => {
        asked.push([name, request]);
        return reply;
      }) as never;
    };
    told('create', { walletName: 'w', mnemonic: 'many words' });
    told('restore', { walletName: 'wallet-00112233' });
    told('list', { wallets: [{ walletName: 'a', locked: true }] });
    told('get', { walletName: 'w', locked: false });
    for (const name of ['lock', 'unlock', 'delete', 'change-active-address'] as const) told(name, {});
    told('addresses', { activeAddress: address, addresses: [info] });
    told('address-info', info);
    told('derive-next-address', info);
    told('balances', {
      totalBalance: '123456789012345678901234567',
      balances: [{ address, balance: '123456789012345678901234567', lockedBalance: '0' }],
    });
    told('sign', { signature: '11'.repeat(64) });
    told('transfer', { txId: 'ab'.repeat(32), fromGroup: 2, toGroup: 1 });
    told('sweep-active-address', { results: [], skipped: [] });
    told('sweep-all-addresses', {
      results: [
        { txId: 'ab'.repeat(32), fromGroup: 2, toGroup: 1 },
        { txId: 'cd'.repeat(32), fromGroup: 0, toGroup: 1 },
      ],
      skipped: [],
    });
    told('miner-addresses', { sets: [{ addresses: [info] }, { addresses: [info] }] });
    told('derive-next-miner-addresses', { addresses: [info] });
    told('reveal-mnemonic', { mnemonic: 'many words' });
  });
  afterAll(() => network.stop());

  const cases: [string, string, object | undefined, WalletRequestName, object, unknown][] = [
    [
      'POST',
      '/wallets',
      { password: 'pw', walletName: 'w', mnemonicPassphrase: 'tea', mnemonicSize: '12', isMiner: null },
      'create',
      { password: 'pw', walletName: 'w', passphrase: 'tea', mnemonicSize: 12 },
      { walletName: 'w', mnemonic: 'many words' },
    ],
    [
      'PUT',
      '/wallets',
      { password: 'pw', mnemonic: 'many words' },
      'restore',
      { password: 'pw', mnemonic: 'many words' },
      { walletName: 'wallet-00112233' },
    ],
    ['GET', '/wallets', undefined, 'list', {}, [{ walletName: 'a', locked: true }]],
    ['GET', '/wallets/w', undefined, 'get', { walletName: 'w' }, { walletName: 'w', locked: false }],
    ['POST', '/wallets/w/lock', undefined, 'lock', { walletName: 'w' }, ''],
    [
      'POST',
      '/wallets/a%20b/unlock',
      { password: 'p', mnemonicPassphrase: '' },
      'unlock',
      { walletName: 'a b', password: 'p', passphrase: '' },
      '',
    ],
    ['DELETE', '/wallets/w', { password: 'p' }, 'delete', { walletName: 'w', password: 'p' }, ''],
    [
      'GET',
      '/wallets/w/addresses',
      undefined,
      'addresses',
      { walletName: 'w' },
      { activeAddress: address, addresses: [address] },
    ],
    ['GET', `/wallets/w/addresses/${address}`, undefined, 'address-info', { walletName: 'w', address }, info],
    [
      'POST',
      '/wallets/w/derive-next-address?group=2',
      undefined,
      'derive-next-address',
      { walletName: 'w', group: 2 },
      info,
    ],
    ['POST', '/wallets/w/derive-next-address', undefined, 'derive-next-address', { walletName: 'w' }, info],
    [
      'POST',
      '/wallets/w/change-active-address',
      { address },
      'change-active-address',
      { walletName: 'w', address },
      '',
    ],
    [
      'POST',
      '/wallets/w/sign',
      { data: 'AB'.repeat(32) },
      'sign',
      { walletName: 'w', data: 'ab'.repeat(32) },
      { signature: '11'.repeat(64) },
    ],
    [
      'POST',
      '/wallets/w/transfer',
      { destinations: [{ address, amount: '2 COIN' }], gas: 20_000, gasPrice: '100000000000', utxosLimit: 512 },
      'transfer',
      {
        walletName: 'w',
        destinations: [{ amount: '2000000000000000000', tokens: [] }],
        gasAmount: 20_000,
        gasPrice: '100000000000',
        gasFormula: 'document',
        unminable: 'refuse',
      },
      { txId: 'ab'.repeat(32), fromGroup: 2, toGroup: 1 },
    ],
    [
      'POST',
      '/wallets/w/sweep-active-address',
      { toAddress: address },
      'sweep-active-address',
      { walletName: 'w', destination: lockupScript, unminable: 'refuse' },
      { results: [] },
    ],
    [
      'POST',
      '/wallets/w/sweep-all-addresses',
      {
        toAddress: address,
        lockTime: '1900000000000',
        gasAmount: '30000',
        gasPrice: '200000000000',
        utxosLimit: 3,
        targetBlockHash: 'ab'.repeat(32),
      },
      'sweep-all-addresses',
      {
        walletName: 'w',
        destination: lockupScript,
        lockTime: '1900000000000',
        gasAmount: 30_000,
        gasPrice: '200000000000',
      },
      {
        results: [
          { txId: 'ab'.repeat(32), fromGroup: 2, toGroup: 1 },
          { txId: 'cd'.repeat(32), fromGroup: 0, toGroup: 1 },
        ],
      },
    ],
    [
      'GET',
      '/wallets/w/miner-addresses',
      undefined,
      'miner-addresses',
      { walletName: 'w' },
      [{ addresses: [info] }, { addresses: [info] }],
    ],
    [
      'POST',
      '/wallets/w/derive-next-miner-addresses',
      undefined,
      'derive-next-miner-addresses',
      { walletName: 'w' },
      [info],
    ],
    [
      'POST',
      '/wallets/w/reveal-mnemonic',
      { password: 'p' },
      'reveal-mnemonic',
      { walletName: 'w', password: 'p' },
      { mnemonic: 'many words' },
    ],
  ];
  it.each(cases)('%s %s', async (method, path, body, name, request, answer) => {
    const given = await network.send(method, path, body);
    expect([given.status, given.body]).toEqual([200, answer]);
    expect(asked.at(-1)).toMatchObject([name, request]);
    if (answer === '') expect(given.headers.get('content-type')).toBeNull();
  });

  it('balances are integer literals of full precision', async () => {
    const { text } = await network.send('GET', '/wallets/w/balances');
    expect(text).toBe(
      `{"totalBalance":123456789012345678901234567,"totalBalanceHint":"123456789.012345678901234567 COIN","balances":[{"address":"${address}","balance":123456789012345678901234567,"balanceHint":"123456789.012345678901234567 COIN","lockedBalance":"0","lockedBalanceHint":"0 COIN"}]}`,
    );
  });

  it('the profile of existing client libraries switches the forms', async () => {
    const other = await startFakeNetwork({ profile: 'reference' });
    other.wallet.addresses = () => ({ activeAddress: address, addresses: [info] });
    other.wallet.balances = () => ({ totalBalance: '5', balances: [{ address, balance: '5', lockedBalance: '0' }] });
    expect((await other.send('GET', '/wallets/w/addresses')).body.addresses).toEqual([info]);
    expect((await other.send('GET', '/wallets/w/balances')).body.totalBalance).toBe('5');
    const asked: unknown[] = [];
    other.wallet['sweep-active-address'] = (request) => {
      asked.push(request.unminable);
      return { results: [], skipped: [] };
    };
    other.wallet.transfer = (request) => {
      asked.push(request.unminable);
      return { txId: 'ab'.repeat(32), fromGroup: 2, toGroup: 1 };
    };
    await other.send('POST', '/wallets/w/sweep-active-address', { toAddress: address });
    await other.send('POST', '/wallets/w/transfer', { destinations: [{ address, amount: '1' }] });
    expect(asked).toEqual(['build', 'build']);
    await other.stop();
  });

  it.each(['document', 'reference'] as const)(
    'a sweep names the addresses that it skipped, profile %s',
    async (profile) => {
      const gateway = await network.addGateway({ profile, brand: { coinName: 'Mark', coinSymbol: 'MRK' } });
      const results = [{ txId: 'ab'.repeat(32), fromGroup: 2, toGroup: 1 }];
      const txId = 'cd'.repeat(32);
      const before = network.wallet['sweep-all-addresses']!;
      network.wallet['sweep-all-addresses'] = () => ({
        results,
        skipped: [
          { address, code: 'NotEnoughBalanceForFee', detail: 'It has 0.0015 {COIN}.' },
          { address, code: 'LockedUtxo', detail: 'Locked.', spendableAt: '1900000000000' },
          { address, code: 'DeadlineExceeded', detail: 'Not known.', txId },
        ],
      });
      const { status, body } = await gateway.send('POST', '/wallets/w/sweep-all-addresses', { toAddress: address });
      expect([status, body]).toEqual([
        200,
        {
          results,
          skipped: [
            { address, code: 'NotEnoughBalanceForFee', detail: 'It has 0.0015 MRK.' },
            { address, code: 'LockedUtxo', detail: 'Locked.', spendableAt: 1_900_000_000_000 },
            { address, code: 'DeadlineExceeded', detail: 'Not known.', txId },
          ],
        },
      ]);
      network.wallet['sweep-all-addresses'] = before;
    },
  );

  it.each([
    ['DeadlineExceeded', { service: 'wallet-service' }, true],
    ['BusUnavailable', { service: 'wallet-service' }, true],
    ['NoResponder', { service: 'wallet-service' }, false],
    ['DeadlineExceeded', { group: 0 }, false],
  ])('an answer of the wallet-service that is lost: %s of %j', async (code, data, isLost) => {
    for (const [name, body] of [
      ['transfer', { destinations: [{ address, amount: '1' }] }],
      ['sweep-all-addresses', { toAddress: address }],
    ] as const) {
      const before = network.wallet[name]!;
      network.wallet[name] = () => {
        throw new ServiceError('unavailable', code, 'It did not answer', data);
      };
      const { status, body: answer } = await network.send('POST', `/wallets/w/${name}`, body);
      const text = '; whether it has sent coins is not known: look at the balances before sending again';
      expect([status, answer.detail]).toEqual([503, `It did not answer${isLost ? text : ''}`]);
      network.wallet[name] = before as never;
    }
  });

  it('a sweep of an active address without coins answers as documented, and says in a header where they are', async () => {
    const before = network.wallet['sweep-active-address']!;
    network.wallet['sweep-active-address'] = () => ({
      results: [],
      skipped: [],
      walletAdvice: 'Others have 5 {COIN}.',
    });
    const { body, headers } = await network.send('POST', '/wallets/w/sweep-active-address', { toAddress: address });
    expect([body, headers.get('x-wallet-advice')]).toEqual([{ results: [] }, 'Others have 5 COIN.']);
    network.wallet['sweep-active-address'] = before;
  });

  it('a wallet-service of an older version skips nothing', async () => {
    const before = network.wallet['sweep-all-addresses']!;
    network.wallet['sweep-all-addresses'] = (() => ({ results: [] })) as never;
    const { status, body } = await network.send('POST', '/wallets/w/sweep-all-addresses', { toAddress: address });
    expect([status, body]).toEqual([200, { results: [] }]);
    network.wallet['sweep-all-addresses'] = before;
  });

  it.each([
    ['document', 'The sender has 0 MRK. A has 5 MRK.'],
    ['reference', 'Not enough balance: got 0, expected 2'],
  ] as const)('a transfer of the wrong address: text, header and next call, profile %s', async (profile, detail) => {
    const gateway = await network.addGateway({ profile, brand: { coinName: 'Mark', coinSymbol: 'MRK' } });
    const before = network.wallet.transfer!;
    const data = { of: 'selection', got: '0', expected: '2', walletAdvice: 'A has 5 {COIN}.', payers: address };
    network.wallet.transfer = () => {
      throw new ServiceError('refused', 'NotEnoughBalance', 'The sender has 0 {COIN}. A has 5 {COIN}.', data);
    };
    const { status, headers, body } = await gateway.send('POST', '/wallets/w/transfer', {
      destinations: [{ address, amount: '1' }],
    });
    expect([status, body.detail]).toEqual([400, detail]);
    expect(headers.get('x-wallet-advice')).toBe('A has 5 MRK.');
    expect(headers.get('x-error-next')).toBe('POST /wallets/w/change-active-address');
    network.wallet.transfer = before;
  });

  const wrongSweeps: [object, RegExp][] = [
    [{}, /toAddress/],
    [{ toAddress: 'x' }, /toAddress/],
    [{ toAddress: address, lockTime: -1 }, /lockTime/],
    [{ toAddress: address, gasAmount: 2 ** 31 }, /gasAmount/],
    [{ toAddress: address, gasPrice: 1.5 }, /gasPrice/],
  ];
  it.each(wrongSweeps)('a sweep of %j names what is wrong', async (body, name) => {
    for (const path of ['sweep-active-address', 'sweep-all-addresses']) {
      const { status, body: answer } = await network.send('POST', `/wallets/w/${path}`, body);
      expect(status).toBe(400);
      expect(answer.detail).toMatch(name);
    }
  });

  it.each(['', 'p', '🔑'])('a new password has two characters at least, %j has not', async (password) => {
    for (const [method, body] of [
      ['POST', { password, walletName: 'w' }],
      ['PUT', { password, mnemonic: 'many words' }],
    ] as const) {
      const { status, text, headers } = await network.send(method, '/wallets', body);
      expect([status, headers.get('x-error-field')]).toEqual([400, 'password']);
      expect(text).toContain('password: expected a text of at least 2 characters');
    }
    // Of a wallet that exists it may be any.
    network.wallet.unlock = () => ({});
    expect((await network.send('POST', '/wallets/w/unlock', { password })).status).toBe(200);
  });

  it('the words are asked with a password; a wrong one is not repeated', async () => {
    expect((await network.send('POST', '/wallets/w/reveal-mnemonic', {})).status).toBe(400);
    const { status, text } = await network.send('POST', '/wallets/w/reveal-mnemonic', { password: { is: 'tea pot' } });
    expect(status).toBe(400);
    expect(text).not.toContain('tea pot');
  });

  describe('names arrive as they were written, whatever stands in them, and are no path', () => {
    const names = ['../w', '../../etc/passwd', '..\\w', '%00', '\u0000', 'a b', 'wället', 'ｗ', '🔑', 'x'.repeat(500)];
    it.each(names)('%j', async (name) => {
      const encoded = encodeURIComponent(name);
      const other = await startFakeNetwork();
      const seen: unknown[] = [];
      for (const request of ['get', 'addresses', 'unlock', 'delete', 'reveal-mnemonic'] as const)
        other.wallet[request] = (({ walletName }: { walletName: string }) => {
          seen.push(walletName);
          throw new ServiceError('not-found', 'WalletNotFound', `${walletName} not found`, { resource: walletName });
        }) as never;
      const asked: [string, string, object | undefined][] = [
        ['GET', `/wallets/${encoded}`, undefined],
        ['GET', `/wallets/${encoded}/addresses`, undefined],
        ['POST', `/wallets/${encoded}/unlock`, { password: 'p' }],
        ['POST', `/wallets/${encoded}/reveal-mnemonic`, { password: 'p' }],
        ['DELETE', `/wallets/${encoded}`, { password: 'p' }],
      ];
      for (const [method, path, body] of asked) {
        const answer = await other.send(method, path, body);
        expect([path, answer.status, answer.body]).toEqual([
          path,
          404,
          { resource: name, detail: `${name} not found` },
        ]);
      }
      expect(new Set(seen)).toEqual(new Set([name]));
      await other.stop();
    });
  });

  const failures: [ServiceError, number, string][] = [
    [new ServiceError('unauthorized', 'WalletLocked', 'Wallet is locked'), 401, '{"detail":"Wallet is locked"}'],
    [
      new ServiceError('not-found', 'WalletNotFound', 'w not found', { resource: 'w' }),
      404,
      '{"resource":"w","detail":"w not found"}',
    ],
    [new ServiceError('conflict', 'WalletExists', 'The wallet w exists'), 409, '{"detail":"The wallet w exists"}'],
    [
      new ServiceError('throttled', 'TooManyWrongPasswords', 'try again in 4 s', { retryAfterSeconds: 4 }),
      429,
      '{"detail":"try again in 4 s"}',
    ],
    [new ServiceError('broken', 'X', 'Internal server error'), 500, '{"detail":"Internal server error"}'],
  ];
  it.each(failures)('%s', async (error, status, text) => {
    const other = await startFakeNetwork();
    other.wallet.unlock = () => {
      throw error;
    };
    const answer = await other.send('POST', '/wallets/w/unlock', { password: 'p' });
    expect([answer.status, answer.text, answer.headers.get('x-error-code')]).toEqual([status, text, error.code]);
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '4' : null);
    await other.stop();
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readVectors } from '@shardnode/testing/vectors';
import { developmentMnemonic } from '@shardnode/testing/keys';
import { createWorld, temporaryDatabase, type WalletWorld } from './wallet-world.js';

interface Vectors {
  readonly walletDerivation: readonly {
    readonly mnemonic: string;
    readonly keys: readonly { readonly address: string }[];
  }[];
  readonly walletDeriveForGroup: {
    readonly steps: readonly {
      readonly request: string;
      readonly answeredIndex: number;
      readonly activeIndexAfter: number;
      readonly addressesAfter: number;
    }[];
  };
  /** The project's own copy lacks this section. */
  readonly walletMiner?: {
    readonly mnemonic: string;
    readonly afterRestoreIsMiner: { readonly activeIndex: number; readonly minerAddressIndexes: number[][] };
    readonly afterDeriveNextMinerAddresses: {
      readonly activeIndex: number;
      readonly answerIndexes: number[];
      readonly minerAddressIndexes: number[][];
    };
  };
}

const vectors = readVectors<Vectors>('http-examples.json');
const password = 'correct horse';
const walletName = 'w';
const mnemonic = developmentMnemonic.join(' ');
const indexOf = ({ path }: { readonly path: string }): number => Number(path.split('/').at(-1));
const minerNeeded = {
  kind: 'unauthorized',
  code: 'MinerWalletNeeded',
  detail: 'Wallet w is no miner wallet, as those created with isMiner are: derive-next-address makes its next address',
};
const locked = {
  kind: 'unauthorized',
  code: 'WalletLocked',
  detail: 'Wallet w is locked: unlock it with its password first',
};

let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let world: WalletWorld;
let schemas = 0;
const request: WalletWorld['client']['request'] = (name, payload) => world.client.request(name, payload);
const restoreMiner = (words = mnemonic) => request('restore', { walletName, password, mnemonic: words, isMiner: true });
const setIndexes = async (): Promise<number[][]> =>
  (await request('miner-addresses', { walletName })).sets.map(({ addresses }) => addresses.map(indexOf));
const activeIndex = async (): Promise<number> => {
  const { activeAddress: address } = await request('addresses', { walletName });
  return indexOf(await request('address-info', { walletName, address }));
};

beforeAll(async () => {
  database = await temporaryDatabase();
});
afterAll(() => database.remove());
beforeEach(async () => {
  world = await createWorld({ host: () => database.host, schema: `wallet_miners_${++schemas}` });
});
afterEach(() => world.stop());

describe('miner addresses (protocol 07 §4.17, §4.18)', () => {
  it('the sets of the vector', async () => {
    const vector = vectors.walletMiner;
    if (!vector) return;
    await restoreMiner(vector.mnemonic);
    expect(await setIndexes()).toEqual(vector.afterRestoreIsMiner.minerAddressIndexes);
    expect(await activeIndex()).toBe(vector.afterRestoreIsMiner.activeIndex);
    const { addresses } = await request('derive-next-miner-addresses', { walletName });
    const after = vector.afterDeriveNextMinerAddresses;
    expect(addresses.map(indexOf)).toEqual(after.answerIndexes);
    expect(await setIndexes()).toEqual(after.minerAddressIndexes);
    expect(await activeIndex()).toBe(after.activeIndex);
  });

  it('sets of the development mnemonic: by group, complete ones only, over a restart', async () => {
    await restoreMiner();
    expect(await setIndexes()).toEqual([[0, 3, 1, 2]]);
    const { addresses } = await request('derive-next-miner-addresses', { walletName });
    expect(addresses.map(({ group }) => group)).toEqual([0, 1, 2, 3]);
    expect(addresses.map(indexOf)).toEqual([12, 5, 4, 6]);
    const expected = [
      [0, 3, 1, 2],
      [12, 5, 4, 6],
    ];
    expect(await setIndexes()).toEqual(expected);
    expect(await activeIndex()).toBe(3);
    const before = await request('addresses', { walletName });
    expect(before.addresses.map(indexOf)).toEqual(expected.flat());
    await world.restart();
    await request('unlock', { walletName, password });
    expect(await setIndexes()).toEqual(expected);
    expect(await request('addresses', { walletName })).toEqual(before);
  });

  it('derived at once, each answers a set of its own', async () => {
    await restoreMiner();
    const derived = await Promise.all(
      Array.from({ length: 10 }, () => request('derive-next-miner-addresses', { walletName })),
    );
    const { sets } = await request('miner-addresses', { walletName });
    expect(sets.slice(1)).toEqual(derived);
    expect(new Set(sets.flatMap(({ addresses }) => addresses.map(({ path }) => path))).size).toBe(44);
  });

  it('a created miner wallet has one set', async () => {
    await request('create', { walletName, password, isMiner: true });
    const { sets } = await request('miner-addresses', { walletName });
    expect(sets.map(({ addresses }) => addresses.map(({ group }) => group))).toEqual([[0, 1, 2, 3]]);
  });

  it('other wallets have none, locked ones tell none, unknown ones are not found', async () => {
    await request('restore', { walletName, password, mnemonic });
    await expect(request('miner-addresses', { walletName })).rejects.toMatchObject(minerNeeded);
    await expect(request('derive-next-miner-addresses', { walletName })).rejects.toMatchObject(minerNeeded);
    expect((await request('addresses', { walletName })).addresses.length).toBe(1);
    await request('lock', { walletName });
    await expect(request('miner-addresses', { walletName })).rejects.toMatchObject(locked);
    await expect(request('derive-next-miner-addresses', { walletName })).rejects.toMatchObject(locked);
    const missing = { code: 'WalletNotFound', data: { resource: 'none' } };
    await expect(request('miner-addresses', { walletName: 'none' })).rejects.toMatchObject(missing);
    await expect(request('derive-next-miner-addresses', { walletName: 'none' })).rejects.toMatchObject(missing);
  });

  it('a table that cannot be written leaves the sets as they were', async () => {
    await restoreMiner();
    const own = database.host.service(`wallet_miners_${schemas}`);
    const table = `"wallet_miners_${schemas}".wallet`;
    await own.script(`ALTER TABLE ${table} ADD CONSTRAINT full_ CHECK (address_count < 5)`);
    await expect(request('derive-next-miner-addresses', { walletName })).rejects.toMatchObject({ kind: 'broken' });
    expect(await setIndexes()).toEqual([[0, 3, 1, 2]]);
    await own.script(`ALTER TABLE ${table} DROP CONSTRAINT full_`);
    expect((await request('derive-next-miner-addresses', { walletName })).addresses.map(indexOf)).toEqual([
      12, 5, 4, 6,
    ]);
  });
});

describe('the next address of a group (protocol 07 §4.16)', () => {
  it('keeps the indexes on the way, as in the vector', async () => {
    const { mnemonic: words, keys } = vectors.walletDerivation[0]!;
    await request('restore', { walletName, password, mnemonic: words });
    for (const step of vectors.walletDeriveForGroup.steps) {
      const group = Number(step.request.at(-1));
      const next = await request('derive-next-address', { walletName, group });
      expect(indexOf(next)).toBe(step.answeredIndex);
      expect(next.address).toBe(keys[step.answeredIndex]!.address);
      expect((await request('addresses', { walletName })).addresses.length).toBe(step.addressesAfter);
      expect(await activeIndex()).toBe(step.activeIndexAfter);
    }
  });
});

describe('the words again (protocol 07 §4.19)', () => {
  it('unlocked and locked, without the passphrase; it unlocks nothing', async () => {
    await request('restore', { walletName, password, mnemonic, passphrase: 'tea' });
    expect(await request('reveal-mnemonic', { walletName, password })).toEqual({ mnemonic });
    await request('lock', { walletName });
    expect(await request('reveal-mnemonic', { walletName, password })).toEqual({ mnemonic });
    expect((await request('get', { walletName })).locked).toBe(true);
  });

  it('the words of a created wallet are those that were shown', async () => {
    const { mnemonic: shown } = await request('create', { walletName, password, mnemonicSize: 12 });
    expect(await request('reveal-mnemonic', { walletName, password })).toEqual({ mnemonic: shown });
  });

  it('wrong passwords count as at unlocking; an unknown wallet has no words', async () => {
    await request('restore', { walletName, password, mnemonic });
    const wrong = { walletName, password: 'wrong' };
    await expect(request('reveal-mnemonic', wrong)).rejects.toMatchObject({ code: 'InvalidPassword' });
    await expect(request('unlock', wrong)).rejects.toMatchObject({ code: 'InvalidPassword' });
    await expect(request('reveal-mnemonic', { walletName, password })).rejects.toMatchObject({
      code: 'TooManyWrongPasswords',
      data: { retryAfterSeconds: 1 },
    });
    world.clock.advance(1000);
    expect(await request('reveal-mnemonic', { walletName, password })).toEqual({ mnemonic });
    await expect(request('reveal-mnemonic', { walletName: 'none', password })).rejects.toMatchObject({
      code: 'WalletNotFound',
    });
  });
});

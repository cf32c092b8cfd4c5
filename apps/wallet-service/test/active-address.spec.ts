import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { parseAddress } from '@shardnode/protocol/address';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { lockupScriptCodec, type AssetLockupScript } from '@shardnode/protocol/primitives';
import { developmentMnemonic, testKeyOfGroup } from '@shardnode/testing/keys';
import { createWorld, temporaryDatabase, type WalletWorld } from './wallet-world.js';

const coin = 10n ** 18n;
const walletName = 'w';
const password = 'correct horse';
const mnemonic = developmentMnemonic.join(' ');
const lockupOf = (address: string): AssetLockupScript => parseAddress(address) as AssetLockupScript;
const hexOf = (lockupScript: AssetLockupScript): string => bytesToHex(encode(lockupScriptCodec, lockupScript));

let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let world: WalletWorld;
let schemas = 0;
const request: WalletWorld['client']['request'] = (name, payload) => world.client.request(name, payload);
const transfer = (amount: bigint, name = walletName) =>
  request('transfer', {
    walletName: name,
    destinations: [{ lockupScript: hexOf(testKeyOfGroup(2).lockupScript), amount: amount.toString(), tokens: [] }],
    gasFormula: 'document',
  });
const failure = (sent: Promise<unknown>): Promise<ServiceError> =>
  sent.then(
    () => Promise.reject(new Error('it was answered')),
    (error: unknown) => error as ServiceError,
  );
const fund = (address: string, amount: bigint): void => world.ledger.fund(lockupOf(address), amount, address);
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

beforeAll(async () => {
  database = await temporaryDatabase();
});
afterAll(() => database.remove());
beforeEach(async () => {
  world = await createWorld({ host: () => database.host, schema: `wallet_active_${++schemas}` });
});
afterEach(() => world.stop());

/** Four addresses, one of each group; the first one is active. */
const addresses = async (): Promise<string[]> => {
  await request('restore', { walletName, password, mnemonic });
  const found = [(await request('addresses', { walletName })).activeAddress];
  for (const group of [1, 2, 3]) found.push((await request('derive-next-address', { walletName, group })).address);
  await request('change-active-address', { walletName, address: found[0]! });
  return found;
};

describe('a transfer that the active address cannot pay', () => {
  it('names it, the addresses that could pay, and the call that makes one active', async () => {
    const [first, second, third, fourth] = await addresses();
    fund(second!, 5n * coin);
    fund(third!, 9n * coin);
    fund(fourth!, coin);
    const error = await failure(transfer(2n * coin));
    const advice = `The address asked is ${first}, the active one of wallet w. ${third}, ${second} could pay: POST /wallets/w/change-active-address makes one active.`;
    expect(error).toMatchObject({
      kind: 'refused',
      code: 'NotEnoughBalance',
      data: { walletAdvice: advice, payers: `${third},${second}` },
    });
    expect(error.detail).toMatch(/^Not enough balance: the sender can spend 0 \{COIN\} /);
    expect(error.detail.endsWith(` ${advice}`)).toBe(true);
    await request('change-active-address', { walletName, address: third! });
    expect(await transfer(2n * coin)).toMatchObject({ fromGroup: 2 });
  });

  it.each([
    ['the fee', coin],
    ['the change', coin + 2_500_000_000_000_000n],
  ])('also when it lacks only %s', async (_what, amount) => {
    const [first, second] = await addresses();
    fund(first!, amount);
    fund(second!, 5n * coin);
    const error = await failure(transfer(coin));
    expect(error).toMatchObject({ data: { payers: second } });
    expect(error.code).toMatch(/^NotEnoughBalance|^ChangeTooSmall$/);
  });

  it('says what the others have together when none is enough', async () => {
    const [first, second, third] = await addresses();
    fund(second!, 2n * coin);
    fund(third!, 2n * coin);
    const error = await failure(transfer(3n * coin));
    expect(error.detail).toContain(
      `The address asked is ${first}, the active one of wallet w; 2 others have 4 {COIN} (4000000000000000000 atto{Coin}), not enough alone: POST /wallets/w/sweep-all-addresses brings all coins to one address.`,
    );
    expect(error.data).not.toHaveProperty('payers');
  });

  it('says when no other one has coins', async () => {
    const [first] = await addresses();
    expect((await failure(transfer(coin))).detail).toContain(
      `The address asked is ${first}, the active one of wallet w; no other one has coins that can be spent.`,
    );
  });

  it('of a new miner wallet, whose last address is active', async () => {
    await request('restore', { walletName: 'mine', password, mnemonic, isMiner: true });
    const { activeAddress, addresses: found } = await request('addresses', { walletName: 'mine' });
    const rewarded = found.find(({ address }) => address !== activeAddress)!.address;
    fund(rewarded, 5n * coin);
    expect(await failure(transfer(coin, 'mine'))).toMatchObject({
      detail: expect.stringContaining(`The address asked is ${activeAddress}, the active one of wallet mine.`),
      data: { payers: rewarded },
    });
  });

  it('stays its own refusal while groups of other addresses are away', async () => {
    const [, second, third] = await addresses();
    fund(second!, 5n * coin);
    fund(third!, 5n * coin);
    await world.groupNodes[1]!.stop();
    expect(await failure(transfer(coin))).toMatchObject({ code: 'NotEnoughBalance', data: { payers: third } });
  });

  it('other refusals ask no other address', async () => {
    const [first, second] = await addresses();
    fund(first!, 5n * coin);
    fund(second!, 5n * coin);
    expect((await failure(transfer(1n))).data).not.toHaveProperty('walletAdvice');
    expect(world.messages.some(({ subject }) => subject.endsWith('address.balance'))).toBe(false);
  });
});

describe('a transfer near its deadline', () => {
  it('ends before its caller does, and names the transaction that may have been sent', async () => {
    const [first] = await addresses();
    fund(first!, 5n * coin);
    world.ledger.beforeBuild = async () => world.clock.advance(24_000);
    let arrived = false;
    world.ledger.afterSubmit = () => {
      arrived = true;
      return new Promise(() => undefined);
    };
    const sent = failure(transfer(coin));
    await until(() => arrived);
    // Its caller waits 28 s.
    world.busClock.advance(3_000);
    const error = await sent;
    expect(error).toMatchObject({ code: 'DeadlineExceeded', data: { txId: world.ledger.submitted[0] } });
    expect(error.detail).toContain('ask for its status before paying again');
  });

  it('is not made when its submit could end too late', async () => {
    const [first] = await addresses();
    fund(first!, 5n * coin);
    world.ledger.beforeBuild = async () => world.clock.advance(25_001);
    expect(await failure(transfer(coin))).toMatchObject({
      code: 'DeadlineExceeded',
      detail: 'The transfers before this one took too long; it was not made',
    });
    expect(world.ledger.submitted).toEqual([]);
  });

  it('a bus that is lost during the submit: the transaction is named too', async () => {
    const [first] = await addresses();
    fund(first!, 5n * coin);
    world.ledger.afterSubmit = async () => {
      throw new ServiceError('unavailable', 'BusUnavailable', 'The bus is away');
    };
    expect(await failure(transfer(coin))).toMatchObject({
      code: 'BusUnavailable',
      data: { txId: world.ledger.submitted[0] },
    });
  });
});

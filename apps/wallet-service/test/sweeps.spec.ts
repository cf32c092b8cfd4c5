import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { parseAddress } from '@shardnode/protocol/address';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { lockupScriptCodec, type AssetLockupScript } from '@shardnode/protocol/primitives';
import { type WalletRequests } from '@shardnode/messages';
import { developmentMnemonic, testKeyOfGroup } from '@shardnode/testing/keys';
import { createWorld, temporaryDatabase, type WalletWorld } from './wallet-world.js';

type Sweep = WalletRequests['sweep-all-addresses']['request'];

const coin = 10n ** 18n;
const gasPrice = 10n ** 11n;
const walletName = 'w';
const password = 'correct horse';
const hexOf = (lockupScript: AssetLockupScript): string => bytesToHex(encode(lockupScriptCodec, lockupScript));
const receiver = testKeyOfGroup(2).lockupScript;
const lockupOf = (address: string): AssetLockupScript => parseAddress(address) as AssetLockupScript;
/** Protocol 07 §16.8, without tokens. */
const feeOf = (inputs: number): bigint => gasPrice * BigInt(Math.max(20_000, 5_500 + 4_060 * inputs));

let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let world: WalletWorld;
let schemas = 0;
const request: WalletWorld['client']['request'] = (name, payload) => world.client.request(name, payload);
const sweepTo = (destination: AssetLockupScript, more: Partial<Sweep> = {}): Sweep => ({
  walletName,
  destination: hexOf(destination),
  ...more,
});
const sweepActive = (destination = receiver, more: Partial<Sweep> = {}) =>
  request('sweep-active-address', sweepTo(destination, more));
const sweepAll = (destination = receiver, more: Partial<Sweep> = {}) =>
  request('sweep-all-addresses', sweepTo(destination, more));
const failure = (sent: Promise<unknown>): Promise<ServiceError> =>
  sent.then(
    () => Promise.reject(new Error('it was answered')),
    (error: unknown) => error as ServiceError,
  );
const fund = (address: string, count: number, amount = coin): void => {
  for (let i = 0; i < count; i++) world.ledger.fund(lockupOf(address), amount, `${address} ${i} of ${count}`);
};
const balanceOf = (address: string): bigint => world.ledger.balance(hexOf(lockupOf(address)));
const submittedLastFirst = (): string[] => [...world.ledger.submitted].reverse();
const idsOf = ({ results }: WalletRequests['sweep-all-addresses']['reply']): string[] =>
  results.map(({ txId }) => txId);
/** The wallet's addresses, one more of each of these groups; the first one is active. */
const withAddresses = async (...groups: number[]): Promise<string[]> => {
  for (const group of groups) await request('derive-next-address', { walletName, group });
  const { addresses } = await request('addresses', { walletName });
  await request('change-active-address', { walletName, address: addresses[0]!.address });
  return addresses.map(({ address }) => address);
};
const groupOf = async (address: string): Promise<number> =>
  (await request('address-info', { walletName, address })).group;

beforeAll(async () => {
  database = await temporaryDatabase();
});
afterAll(() => database.remove());
beforeEach(async () => {
  world = await createWorld({ host: () => database.host, schema: `wallet_sweeps_${++schemas}` });
  await request('restore', { walletName, password, mnemonic: developmentMnemonic.join(' ') });
});
afterEach(() => world.stop());

describe('sweep of the active address (protocol 07 §4.12)', () => {
  it('300 outputs: three transactions, the last one first; nothing stays, nothing of the others is touched', async () => {
    const [first, second] = await withAddresses(2);
    fund(first!, 300);
    fund(second!, 1);
    const swept = await sweepActive();
    expect(swept.results.length).toBe(3);
    expect(idsOf(swept)).toEqual(submittedLastFirst());
    for (const { fromGroup, toGroup } of swept.results) expect([fromGroup, toGroup]).toEqual([0, 2]);
    expect(balanceOf(first!)).toBe(0n);
    expect(balanceOf(second!)).toBe(coin);
    expect(world.ledger.balance(hexOf(receiver))).toBe(300n * coin - feeOf(128) * 2n - feeOf(44));
  });

  it('nothing to sweep: no results', async () => {
    const [first] = await withAddresses();
    const walletAdvice = `The address asked is ${first}, the active one of wallet w; no other one has coins that can be spent.`;
    expect(await sweepActive()).toEqual({ results: [], skipped: [], walletAdvice });
    expect(await sweepAll()).toEqual({ results: [], skipped: [] });
    expect(world.ledger.submitted).toEqual([]);
  });

  it('nothing to sweep but at other addresses: they are named', async () => {
    const [first, second, third] = await withAddresses(1, 2);
    fund(second!, 1, 2n * coin);
    fund(third!, 1, 3n * coin);
    expect(await sweepActive()).toEqual({
      results: [],
      skipped: [],
      walletAdvice: `The address asked is ${first}, the active one of wallet w. ${third}, ${second} could pay: POST /wallets/w/change-active-address makes one active.`,
    });
  });

  it('what is locked is named, with what was swept and without', async () => {
    const [first, second] = await withAddresses(1);
    const left = { code: 'LockedUtxo', detail: 'Outputs are locked.', spendableAt: '1900000000000' };
    world.ledger.left.set(hexOf(lockupOf(first!)), left);
    expect(await sweepActive()).toEqual({ results: [], skipped: [{ address: first, ...left }] });
    fund(first!, 1);
    fund(second!, 1);
    expect(await sweepAll()).toMatchObject({ results: [{}, {}], skipped: [{ address: first, ...left }] });
  });

  it('lock time, gas, gas price and what to do with the unminable reach the group', async () => {
    const [first] = await withAddresses();
    fund(first!, 1, 10n * coin);
    const lockTime = '1900000000000';
    const unminable = 'build';
    await sweepActive(receiver, { lockTime, gasAmount: 30_000, gasPrice: '200000000000', unminable });
    const [received] = world.ledger.of(hexOf(receiver));
    expect(received!.output.lockTime).toBe(1_900_000_000_000n);
    expect(received!.output.amount).toBe(10n * coin - 30_000n * 200_000_000_000n);
    const asked = world.messages.find(({ subject, part }) => part === 'request' && subject.endsWith('building.sweep'));
    expect(asked!.content).toMatchObject({ unminable });
  });

  it('a group that builds a few at once is asked until nothing is left', async () => {
    const [first] = await withAddresses();
    fund(first!, 650);
    world.ledger.sweepBound = 2;
    const swept = await sweepActive();
    expect(idsOf(swept)).toEqual(submittedLastFirst());
    expect(swept.results.length).toBe(6);
    expect(balanceOf(first!)).toBe(0n);
  });

  it('to itself: its outputs become one, however few are built at once', async () => {
    const [first] = await withAddresses();
    fund(first!, 400);
    world.ledger.sweepBound = 1;
    const swept = await sweepActive(lockupOf(first!));
    for (const { fromGroup, toGroup } of swept.results) expect([fromGroup, toGroup]).toEqual([0, 0]);
    expect(world.ledger.of(hexOf(lockupOf(first!))).length).toBe(1);
    world.ledger.sweepBound = 256;
    expect((await sweepActive(lockupOf(first!))).results.length).toBe(1);
  });

  it('a group that always says there is more: an output that the sweep made is not swept over and over', async () => {
    const [first] = await withAddresses();
    fund(first!, 300);
    world.ledger.saysMore = true;
    expect((await sweepActive(lockupOf(first!))).results.length).toBe(4);
    expect(world.ledger.submitted.length).toBe(4);
    expect(world.ledger.of(hexOf(lockupOf(first!))).length).toBe(1);
    expect((await sweepActive()).results.length).toBe(1);
    expect(balanceOf(first!)).toBe(0n);
  });

  it('waits for the transfers of its address, and those after it see what it left', async () => {
    const [first] = await withAddresses();
    fund(first!, 200);
    const pay = () =>
      request('transfer', {
        walletName,
        destinations: [{ lockupScript: hexOf(receiver), amount: coin.toString(), tokens: [] }],
        gasFormula: 'document',
      });
    const outcomes = await Promise.allSettled([pay(), sweepActive(), pay()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(world.ledger.underWay.most).toBe(1);
    expect(balanceOf(first!)).toBe(0n);
  });
});

describe('sweep of all addresses (protocol 07 §4.13)', () => {
  it('address by address; the transactions of a later one come before those of an earlier one', async () => {
    const addresses = await withAddresses(1, 2, 3);
    for (const [index, address] of addresses.entries()) fund(address, index === 1 ? 130 : 2);
    const swept = await sweepAll();
    expect(idsOf(swept)).toEqual(submittedLastFirst());
    const groups = await Promise.all(addresses.map(groupOf));
    // The second address has more outputs than fit one transaction.
    const expected = [groups[0]!, groups[1]!, groups[1]!, ...groups.slice(2)].reverse();
    expect(swept.results.map(({ fromGroup }) => fromGroup)).toEqual(expected);
    expect(swept.results.every(({ toGroup }) => toGroup === 2)).toBe(true);
    for (const address of addresses) expect(balanceOf(address)).toBe(0n);
  });

  it('into one of its own: that one is swept too; the second time nothing else is left', async () => {
    const addresses = await withAddresses(1, 2, 3);
    for (const address of addresses) fund(address, 2);
    const last = addresses.at(-1)!;
    const group = await groupOf(last);
    expect((await sweepAll(lockupOf(last))).results.length).toBe(addresses.length);
    expect(world.ledger.of(hexOf(lockupOf(last))).length).toBe(1);
    expect((await sweepAll(lockupOf(last))).results).toEqual([
      { txId: world.ledger.submitted.at(-1), fromGroup: group, toGroup: group },
    ]);
  });

  it('a miner wallet: the addresses of its complete sets', async () => {
    const mnemonic = developmentMnemonic.join(' ');
    await request('restore', { walletName: 'mine', password, mnemonic, isMiner: true });
    const { addresses } = await request('addresses', { walletName: 'mine' });
    for (const { address } of addresses) fund(address, 1);
    const swept = await sweepAll(receiver, { walletName: 'mine' });
    expect(swept.results.map(({ fromGroup }) => fromGroup)).toEqual([3, 2, 1, 0]);
  });
});

describe('a sweep that fails', () => {
  it('in the middle: the answer has what was submitted before, and why the rest was not', async () => {
    const [first] = await withAddresses();
    fund(first!, 300);
    const full = new ServiceError('unavailable', 'MempoolFull', 'The mempool is full');
    world.ledger.beforeSubmit = async () => {
      if (world.ledger.submitted.length === 1) throw full;
    };
    expect(await sweepActive()).toEqual({
      results: [{ txId: world.ledger.submitted[0], fromGroup: 0, toGroup: 2 }],
      skipped: [{ address: first, code: 'MempoolFull', detail: 'The mempool is full' }],
    });
    expect(world.ledger.submitted.length).toBe(1);
    expect(balanceOf(first!)).toBe(172n * coin);
    world.ledger.beforeSubmit = async () => undefined;
    expect((await sweepActive()).results.length).toBe(2);
    expect(balanceOf(first!)).toBe(0n);
  });

  it("the first transaction: the error is the group-node's own", async () => {
    const [first] = await withAddresses();
    fund(first!, 1, 10n ** 15n);
    expect(await failure(sweepActive())).toMatchObject({
      kind: 'refused',
      code: 'NotEnoughBalanceForFee',
      detail: expect.stringMatching(/^Not enough balance for the fee: the outputs to be swept have 0.001 \{COIN\} /),
    });
  });

  it('an address that cannot pay its fee is skipped, and those after it are swept', async () => {
    const [first, second, third, fourth] = await withAddresses(1, 2, 3);
    fund(first!, 2);
    fund(second!, 1, (15n * coin) / 10_000n);
    fund(fourth!, 3);
    const { results, skipped } = await sweepAll();
    expect(results.map(({ txId }) => txId)).toEqual(submittedLastFirst());
    expect(results.map(({ fromGroup }) => fromGroup)).toEqual([await groupOf(fourth!), 0]);
    expect(skipped).toEqual([
      {
        address: second,
        code: 'NotEnoughBalanceForFee',
        detail: expect.stringMatching(/^Not enough balance for the fee: the outputs to be swept have 0.0015 \{COIN\} /),
      },
    ]);
    expect([first!, second!, third!, fourth!].map(balanceOf)).toEqual([0n, (15n * coin) / 10_000n, 0n, 0n]);
  });

  it('no address can pay: the error names each', async () => {
    const [first, second, third] = await withAddresses(1, 2);
    fund(first!, 1, 10n ** 15n);
    fund(second!, 1, 10n ** 15n);
    fund(third!, 1, (15n * coin) / 10_000n);
    const error = await failure(sweepAll());
    expect(error).toMatchObject({ kind: 'refused', code: 'NotEnoughBalanceForFee', data: { of: 'sweep' } });
    const have = (amount: string) =>
      expect.stringContaining(`Not enough balance for the fee: the outputs to be swept have ${amount} {COIN}`);
    expect(error.detail).toEqual(expect.stringMatching(new RegExp(`^No address was swept. ${first}, ${second}: Not`)));
    expect(error.detail).toEqual(have('0.001'));
    expect(error.detail).toContain(`. ${third}: Not enough balance for the fee: the outputs to be swept have 0.0015`);
    expect(error.data['skipped']).toBe(error.detail.replace('No address was swept. ', ''));
    expect(world.ledger.submitted).toEqual([]);
  });

  it('only the active address is asked: it is named, and the others that have coins', async () => {
    const [first, second] = await withAddresses(1);
    fund(first!, 1, 10n ** 15n);
    fund(second!, 1);
    expect(await failure(sweepActive())).toMatchObject({
      code: 'NotEnoughBalanceForFee',
      detail: expect.stringContaining(
        `The address asked is ${first}, the active one of wallet w. ${second} could pay: POST /wallets/w/change-active-address makes one active.`,
      ),
      data: { payers: second },
    });
  });

  it('locked meanwhile: the answer has what was sent; nothing more is signed', async () => {
    const [first, second] = await withAddresses(1);
    fund(first!, 300);
    fund(second!, 1);
    world.ledger.afterSubmit = async () => {
      await request('lock', { walletName });
    };
    const { results, skipped } = await sweepAll();
    expect(idsOf({ results, skipped })).toEqual(world.ledger.submitted);
    expect(skipped).toMatchObject([
      { address: first, code: 'WalletLocked' },
      { address: second, code: 'WalletLocked' },
    ]);
    expect(world.ledger.submitted.length).toBe(1);
  });

  it('a group is away in the middle: the other groups are swept, and it is asked once', async () => {
    const addresses = await withAddresses(1, 1, 2);
    for (const address of addresses) fund(address, 1);
    const groups = await Promise.all(addresses.map(groupOf));
    const inGroup1 = addresses.filter((_, index) => groups[index] === 1);
    expect(inGroup1.length).toBeGreaterThan(1);
    await world.groupNodes[1]!.stop();
    const { results, skipped } = await sweepAll();
    expect(idsOf({ results, skipped })).toEqual(submittedLastFirst());
    expect(results.map(({ fromGroup }) => fromGroup)).toEqual(groups.filter((group) => group !== 1).reverse());
    expect(skipped).toMatchObject(inGroup1.map((address) => ({ address, code: 'NoResponder' })));
    const asked = world.messages.filter(
      ({ subject, part }) => part === 'request' && subject.endsWith('building.sweep'),
    );
    expect(asked.length).toBe(addresses.length - inGroup1.length + 1);
  });

  it('no answer to a submit: what may have been sent is named, beside what was sent', async () => {
    const [first, second] = await withAddresses(1);
    fund(first!, 1);
    fund(second!, 1);
    world.ledger.beforeSubmit = async () => {
      if (world.ledger.submitted.length === 1)
        throw new ServiceError('unavailable', 'BusUnavailable', 'The bus is away');
    };
    const { results, skipped } = await sweepAll();
    expect(idsOf({ results, skipped })).toEqual(world.ledger.submitted);
    expect(skipped).toMatchObject([{ address: second, code: 'BusUnavailable' }]);
    expect(skipped[0]!.txId).toMatch(/^[0-9a-f]{64}$/);
    expect(skipped[0]!.detail).toContain(
      `whether it has taken transaction ${skipped[0]!.txId} is not known: ask for its status before paying again`,
    );
  });

  it('locked or unknown from the beginning', async () => {
    await expect(sweepAll(receiver, { walletName: 'nobody' })).rejects.toMatchObject({ code: 'WalletNotFound' });
    await request('lock', { walletName });
    const locked = 'Wallet w is locked: unlock it with its password first';
    await expect(sweepActive()).rejects.toMatchObject({ kind: 'unauthorized', detail: locked });
    await expect(sweepAll()).rejects.toMatchObject({ kind: 'unauthorized', detail: locked });
  });

  it('a group-node that is away: unavailable, with the number of its group', async () => {
    await withAddresses();
    await world.groupNodes[0]!.stop();
    await expect(sweepAll()).rejects.toMatchObject({ kind: 'unavailable', code: 'NoResponder', data: { group: 0 } });
  });
});

describe('the deadline of a sweep', () => {
  it('comes near: the answer tells what is done, the next sweep goes on', async () => {
    const [first] = await withAddresses();
    fund(first!, 300);
    world.ledger.afterSubmit = async () => world.clock.advance(30_000);
    const swept = await sweepActive();
    expect(idsOf(swept)).toEqual(submittedLastFirst());
    expect(swept.results.length).toBe(2);
    expect(swept.skipped).toMatchObject([{ address: first, code: 'DeadlineExceeded' }]);
    world.ledger.afterSubmit = async () => undefined;
    expect((await sweepActive()).results.length).toBe(1);
    expect(balanceOf(first!)).toBe(0n);
  });

  it('is over before its turn: nothing is swept', async () => {
    const [first] = await withAddresses();
    fund(first!, 2, 10n * coin);
    let goOn: (() => void) | undefined;
    world.ledger.beforeSubmit = () => new Promise((resolve) => (goOn = resolve));
    const before = sweepActive(receiver);
    const after = failure(sweepActive(receiver));
    while (!goOn) await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(60_000);
    goOn();
    expect((await before).results.length).toBe(1);
    fund(first!, 1, 5n * coin);
    expect(await after).toMatchObject({ kind: 'unavailable', code: 'DeadlineExceeded' });
    expect(world.ledger.submitted.length).toBe(1);
  });
});

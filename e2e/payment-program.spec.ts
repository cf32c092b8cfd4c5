import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { type ApiClient, UnexpectedAnswer } from './kit/api-client.js';
import {
  type BuiltForm,
  type DestinationForm,
  type OutputRef,
  type SubmittedForm,
  type TransactionForm,
  type UtxosForm,
} from './kit/api-forms.js';
import { groups } from './kit/chains.js';
import { describeNetwork } from './kit/deployment-under-test.js';
import { checkLedger } from './kit/ledger.js';
import { type Network, startNetwork } from './kit/network.js';
import { confirmed, oneCoin, signOffline, submit, transfer } from './kit/transfers.js';

/** What a payment program knows of an output. */
interface PoolOutput {
  readonly ref: OutputRef;
  readonly amount: bigint;
}

/** Fee of a transaction of at most 136 outputs, with something to spare; attoCoin. */
const mostFee = oneCoin / 10n;

const isTooMany = (error: unknown): boolean =>
  error instanceof UnexpectedAnswer && error.answer.status === 400 && /consolidat/i.test(error.answer.text);

/**
 * Pays the miners of a pool from one of its addresses, step by step as the payment program of the public pool does. It
 * holds the key, chooses the outputs of each transaction itself, and sweeps when the node tells it to consolidate.
 */
class PaymentProgram {
  /** Everything that it has submitted, sweeps among them. */
  readonly submits: SubmittedForm[] = [];

  constructor(
    private readonly api: ApiClient,
    private readonly key: TestKey,
  ) {}

  /** A transaction for each list of destinations; returns when all are confirmed. */
  async pay(lists: readonly (readonly DestinationForm[])[]): Promise<readonly SubmittedForm[]> {
    let outputs = await this.outputs();
    const sent: SubmittedForm[] = [];
    for (const destinations of lists) {
      let built = await this.build(destinations, outputs);
      if (!built) {
        await this.sweep();
        outputs = await this.outputs();
        built = await this.build(destinations, outputs);
      }
      if (!built) throw new Error(`${this.key.address} cannot be consolidated`);
      outputs = outputs.filter((output) => !built.chosen.includes(output));
      sent.push(await this.submitted(built));
    }
    await this.allConfirmed(sent);
    return sent;
  }

  /** Confirmed outputs, the largest first. */
  private async outputs(): Promise<readonly PoolOutput[]> {
    const { utxos } = await this.api.get<UtxosForm>(`/addresses/${this.key.address}/utxos`);
    return utxos
      .filter(({ lockTime }) => Number(lockTime) <= Date.now())
      .map(({ ref, amount }) => ({ ref, amount: BigInt(amount) }))
      .sort((a, b) => (a.amount < b.amount ? 1 : -1));
  }

  /** Undefined if the payment takes too many outputs. */
  private async build(
    destinations: readonly DestinationForm[],
    outputs: readonly PoolOutput[],
  ): Promise<(BuiltForm & { readonly chosen: readonly PoolOutput[] }) | undefined> {
    const needed = destinations.reduce((sum, { attoCoinAmount }) => sum + BigInt(attoCoinAmount), mostFee);
    const chosen: PoolOutput[] = [];
    let sum = 0n;
    for (const output of outputs) {
      if (sum >= needed) break;
      chosen.push(output);
      sum += output.amount;
    }
    try {
      const built = await this.api.post<BuiltForm>('/transactions/build', {
        fromPublicKey: bytesToHex(this.key.publicKey),
        destinations,
        utxos: chosen.map(({ ref }) => ref),
      });
      return { ...built, chosen };
    } catch (error) {
      if (isTooMany(error)) return undefined;
      throw error;
    }
  }

  private async sweep(): Promise<void> {
    const { unsignedTxs } = await this.api.post<{ readonly unsignedTxs: readonly BuiltForm[] }>(
      '/transactions/sweep-address/build',
      { fromPublicKey: bytesToHex(this.key.publicKey), toAddress: this.key.address },
    );
    await this.allConfirmed(await Promise.all(unsignedTxs.map((built) => this.submitted(built))));
  }

  /** A program that has lost the answer submits the same bytes again. */
  private async submitted(built: BuiltForm): Promise<SubmittedForm> {
    const signature = signOffline(built, this.key);
    const first = await submit(this.api, built.unsignedTx, signature);
    expect(await submit(this.api, built.unsignedTx, signature)).toEqual(first);
    this.submits.push(first);
    return first;
  }

  private async allConfirmed(sent: readonly SubmittedForm[]): Promise<void> {
    for (const { txId } of sent)
      await confirmed(
        this.api,
        txId,
        ({ fromGroupConfirmations, toGroupConfirmations }) => fromGroupConfirmations > 0 && toGroupConfirmations > 0,
      );
  }
}

/** Each address of the pool holds so many rewards of one coin: payments would spend more outputs than a transaction may. */
const rewardTransactions = 2;
const rewardsInTransaction = 130;
const rewards = BigInt(rewardTransactions * rewardsInTransaction) * oneCoin;
const minersPerGroup = 250;
const minersInTransaction = minersPerGroup / 2;

/** Two thirds of a coin, some units more or less, so that no two miners get the same. */
const shareOf = (group: number, miner: number): bigint => (2n * oneCoin) / 3n + BigInt(1_000 * group + miner);

describeNetwork('the payment program of a pool', () => {
  let network: Network;
  let miners: readonly (readonly TestKey[])[];
  let pool: readonly TestKey[];
  beforeAll(async () => {
    // The public pool reads the texts of that profile; the names of the coin are those of the kit.
    network = await startNetwork({ API_PROFILE: 'reference', COIN_NAME: 'Coin', COIN_SYMBOL: 'COIN' });
    const keys = groups.map((group) => testKeysOfGroup(group, 1 + minersPerGroup));
    pool = keys.map(([first]) => first!);
    miners = keys.map(([, ...others]) => others);
    const reward = (group: number): DestinationForm => ({
      address: pool[group]!.address,
      attoCoinAmount: String(oneCoin),
    });
    await Promise.all(
      groups.map(async (group) => {
        for (let round = 0; round < rewardTransactions; round++) {
          const destinations = Array.from({ length: rewardsInTransaction }, () => reward(group));
          const { txId } = await transfer(network.api, network.funded[group]!, destinations);
          await confirmed(network.api, txId);
        }
      }),
    );
  });
  afterAll(() => network?.remove());

  it('sweeps, chooses outputs, builds, signs, submits and waits: 1,000 miners get their share, once', async () => {
    const { api } = network;
    const sharesOf = (group: number): DestinationForm[] =>
      miners[group]!.map(({ address }, miner) => ({ address, attoCoinAmount: String(shareOf(group, miner)) }));
    /** Miners of its own group and of the next one. */
    const listsOf = (group: number): DestinationForm[][] => [
      sharesOf(group).slice(0, minersInTransaction),
      sharesOf((group + 1) % groups.length).slice(minersInTransaction),
    ];
    const programs = pool.map((key) => new PaymentProgram(api, key));
    const sent = await Promise.all(programs.map((program, group) => program.pay(listsOf(group))));

    // Two payments and a sweep of 128, 128 and 4 outputs.
    expect(programs.map(({ submits }) => submits.length)).toEqual([5, 5, 5, 5]);
    sent.forEach((transactions, group) =>
      expect(transactions.map(({ fromGroup, toGroup }) => [fromGroup, toGroup])).toEqual([
        [group, group],
        [group, (group + 1) % groups.length],
      ]),
    );

    const { balances } = await checkLedger(api);
    const paid = miners.map((keys) => keys.map(({ address }) => balances.get(address)));
    expect(paid).toEqual(miners.map((keys, group) => keys.map((_, miner) => shareOf(group, miner))));

    for (const [group, { submits }] of programs.entries()) {
      const fees = await Promise.all(submits.map(feeOf));
      const spent = [
        ...listsOf(group)
          .flat()
          .map(({ attoCoinAmount }) => BigInt(attoCoinAmount)),
        ...fees,
      ];
      expect(balances.get(pool[group]!.address)).toBe(spent.reduce((left, amount) => left - amount, rewards));
    }
  });

  const feeOf = async ({ txId }: SubmittedForm): Promise<bigint> => {
    const { unsigned } = await network.api.get<TransactionForm>(`/transactions/details/${txId}`);
    return BigInt(unsigned.gasAmount) * BigInt(unsigned.gasPrice);
  };
});

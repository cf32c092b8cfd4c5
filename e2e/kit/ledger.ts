import { blockReward } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type ApiClient } from './api-client.js';
import {
  type BalanceForm,
  type BlockForm,
  type FixedOutput,
  type TransactionForm,
  type UtxosForm,
} from './api-forms.js';
import { chainHeight } from './transfers.js';
import { chains } from './chains.js';
import { waitFor } from './wait-for.js';

/** What the main chains say, added up by a reader who believes nothing else. Amounts in attoCoin. */
export interface Ledger {
  /** Outputs that nobody has spent, by key. */
  readonly unspent: ReadonlyMap<string, FixedOutput>;
  readonly balances: ReadonlyMap<string, bigint>;
  /** Block of each transaction. */
  readonly blockOf: ReadonlyMap<string, string>;
  readonly genesis: bigint;
  readonly mined: bigint;
  readonly burned: bigint;
}

const intervalMs = 1_790_000;

const heights = (api: ApiClient): Promise<number[]> =>
  Promise.all(chains.map(({ from, to }) => chainHeight(api, from, to)));

const genesisBlocks = (api: ApiClient): Promise<BlockForm[]> =>
  Promise.all(
    chains.map(async ({ from, to }) => {
      const path = `/blockflow/hashes?fromGroup=${from}&toGroup=${to}&height=0`;
      const { headers } = await api.get<{ headers: string[] }>(path);
      return api.get<BlockForm>(`/blockflow/blocks/${headers[0]}`);
    }),
  );

/** All main-chain blocks, genesis first; undefined when a chain moved meanwhile. */
const readBlocks = async (api: ApiClient): Promise<BlockForm[] | undefined> => {
  const before = await heights(api);
  const now = Date.now();
  // Blocks may be some moments ahead of the clock.
  const path = `/blockflow/blocks?fromTs=${now + 10_000 - intervalMs}&toTs=${now + 10_000}`;
  const { blocks } = await api.get<{ blocks: BlockForm[][] }>(path);
  const after = await heights(api);
  if (before.some((height, chain) => height !== after[chain])) return undefined;
  blocks.forEach((list, chain) => {
    const expected = Array.from({ length: before[chain]! }, (_, i) => i + 1);
    if (list.map(({ height }) => height).join() !== expected.join()) {
      throw new Error(
        `chain ${chain} has height ${before[chain]}, its list has ${list.map(({ height }) => height).join()}`,
      );
    }
  });
  return [...(await genesisBlocks(api)), ...blocks.flat()];
};

const sum = (outputs: readonly FixedOutput[]): bigint =>
  outputs.reduce((total, { attoCoinAmount }) => total + BigInt(attoCoinAmount), 0n);

const feeOf = ({ unsigned }: TransactionForm): bigint => BigInt(unsigned.gasAmount) * BigInt(unsigned.gasPrice);

const rewardOf = (block: BlockForm & { readonly target?: string }): bigint =>
  blockReward(developmentNetwork, parseInt(block.target ?? '', 16), BigInt(block.timestamp));

/** Adds the blocks up. Fails when an output is spent twice or was never made, and when a transaction makes coins. */
export const foldBlocks = (blocks: readonly BlockForm[]): Ledger => {
  const created = new Map<string, FixedOutput>();
  const blockOf = new Map<string, string>();
  for (const { hash, transactions } of blocks) {
    for (const { unsigned } of transactions) {
      for (const output of unsigned.fixedOutputs) created.set(output.key, output);
      // Genesis blocks of chains without allocations may hold the same empty transaction.
      if (blockOf.has(unsigned.txId) && unsigned.fixedOutputs.length > 0) {
        throw new Error(`transaction ${unsigned.txId} is in two blocks`);
      }
      blockOf.set(unsigned.txId, hash);
    }
  }
  let [genesis, mined, burned] = [0n, 0n, 0n];
  const spent = new Set<string>();
  const spend = (key: string): FixedOutput => {
    const output = created.get(key);
    if (!output) throw new Error(`an input spends the output ${key}, which no block made`);
    if (spent.has(key)) throw new Error(`the output ${key} is spent twice`);
    spent.add(key);
    return output;
  };
  for (const block of blocks) {
    block.transactions.forEach((transaction, position) => {
      const made = sum(transaction.unsigned.fixedOutputs);
      if (block.height === 0) {
        genesis += made;
      } else if (position === block.transactions.length - 1) {
        if (made !== rewardOf(block)) throw new Error(`block ${block.hash} pays ${made}, not ${rewardOf(block)}`);
        mined += made;
      } else {
        const taken = sum(transaction.unsigned.inputs.map(({ outputRef }) => spend(outputRef.key)));
        const fee = feeOf(transaction);
        if (taken !== made + fee) throw new Error(`transaction ${transaction.unsigned.txId} does not balance`);
        burned += fee;
      }
    });
  }
  const unspent = new Map([...created].filter(([key]) => !spent.has(key)));
  const balances = new Map<string, bigint>([...created.values()].map(({ address }) => [address, 0n]));
  for (const { address, attoCoinAmount } of unspent.values()) {
    balances.set(address, balances.get(address)! + BigInt(attoCoinAmount));
  }
  return { unspent, balances, blockOf, genesis, mined, burned };
};

/** Lists longer than this are compared by their number and sum only. */
const listedOutputs = 1_000;

const compareAddress = async (api: ApiClient, ledger: Ledger, address: string): Promise<string | undefined> => {
  const shown = await api.get<BalanceForm>(`/addresses/${address}/balance?mempool=false`);
  const own = [...ledger.unspent.values()].filter((output) => output.address === address);
  if (BigInt(shown.balance) !== ledger.balances.get(address)) {
    return `${address} has ${ledger.balances.get(address)} by the blocks, ${shown.balance} by its balance`;
  }
  if (shown.utxoNum !== own.length) return `${address} has ${own.length} outputs by the blocks, not ${shown.utxoNum}`;
  if (own.length > listedOutputs) return undefined;
  const { utxos } = await api.get<UtxosForm>(`/addresses/${address}/utxos`);
  const text = (hint: number, key: string, amount: string): string => `${hint} ${key} ${amount}`;
  const listed = utxos.map(({ ref, amount }) => text(ref.hint, ref.key, amount)).sort();
  const expected = own.map(({ hint, key, attoCoinAmount }) => text(hint, key, attoCoinAmount)).sort();
  return listed.join() === expected.join() ? undefined : `${address} lists other outputs than the blocks make`;
};

/**
 * Not one attoCoin is lost, made or shown twice: the balances of all addresses that ever received anything, read over
 * the API, equal what the blocks add up to, and their sum and the burned fees equal genesis and rewards.
 */
export const checkLedger = (api: ApiClient): Promise<Ledger> =>
  waitFor(
    'the balances to equal the blocks while no chain moves',
    async () => {
      const blocks = await readBlocks(api);
      if (!blocks) return undefined;
      const ledger = foldBlocks(blocks);
      const seen = await heights(api);
      const addresses = [...ledger.balances.keys()];
      const differences = await Promise.all(addresses.map((address) => compareAddress(api, ledger, address)));
      if ((await heights(api)).join() !== seen.join()) return undefined;
      const found = differences.filter((difference) => difference !== undefined);
      if (found.length > 0) throw new Error(found.join('\n'));
      const total = [...ledger.balances.values()].reduce((all, balance) => all + balance, 0n);
      if (total + ledger.burned !== ledger.genesis + ledger.mined) {
        throw new Error(`${total} held + ${ledger.burned} burned is not ${ledger.genesis} + ${ledger.mined} mined`);
      }
      return ledger;
    },
    { timeoutMs: 20_000, everyMs: 100 },
  );

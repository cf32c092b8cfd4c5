import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressOf } from '@shardnode/protocol/address';
import { allChainIndexes } from '@shardnode/protocol/primitives';
import { MemoryNode, memoryNodeTarget } from '@shardnode/testing/memory-node';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { until } from '@shardnode/testing/waiting';
import { inSnapshot } from '../src/database/snapshot.js';
import { listTransactionsOfAddress } from '../src/reads/transactions-of-address.js';
import { FollowedNode } from './recorded-answers/followed-node.js';
import { observing } from './support/observed-statements.js';
import { type Explorer, openExplorer } from './support/open-explorer.js';

const mostExported = 30;
const finalityDepth = 5;
const history = readHistory(historyFolder('chain-tokens'));
let explorer: Explorer;
let node: FollowedNode;
let statements: string[] = [];

const counting = observing(({ name }) => statements.push(name));

beforeAll(async () => {
  explorer = await openExplorer(history.settings.groups, counting, {
    exportLimits: { transactions: mostExported, days: 366 },
    finalityDepth,
  });
  node = new FollowedNode(history, memoryNodeTarget(new MemoryNode(history.settings)), explorer.index);
  await node.importUpTo(history.blocks.length);
  await node.follow();
});
afterAll(() => explorer.close());

const send = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${explorer.api.port}${path}`, init);

/** The items of a part of a list, and the cursor of the next one. */
const partOf = async (path: string): Promise<{ readonly items: readonly unknown[]; readonly next: string | null }> => {
  const answer = await send(path);
  expect([path, answer.status]).toEqual([path, 200]);
  const body = (await answer.json()) as readonly unknown[] | { readonly blocks: readonly unknown[] };
  return { items: 'blocks' in body ? body.blocks : body, next: answer.headers.get('x-next-cursor') };
};

const miner = '19TmCdXAhZfAwN1yAnh6APQAXuz7konYDUUh1x42oVMZV';
const holder = '19Tk6ZXA6rnbDHacmwiLqDgEyAyp2jWg7kL9bLCsiygbA';
const token = '4276743b9303b8c98f0fb7977b71a46450652aa7036931fe8a60828e0559cd02';
const contract = '22JXAaBPdvSV563kJQPWPv2gB4JfKD2JNoWA73s68uexh';
const lists = [
  '/blocks?reverse=false',
  '/blocks?reverse=true',
  '/blocks?payments=true',
  '/transactions?',
  '/transactions?payments=true',
  `/addresses/${holder}/transactions?`,
  `/addresses/${holder}/transactions?direction=in`,
  `/addresses/${holder}/transactions?direction=out`,
  `/addresses/${holder}/timeranged-transactions?fromTs=0&toTs=1741000000000`,
  `/addresses/${holder}/tokens/${token}/transactions?`,
  `/tokens/${token}/transactions?`,
  '/tokens?',
  `/contract-events/contract-address/${contract}?`,
  `/contract-events/contract-address/${contract}?event_index=0`,
  `/contract-events/input-address/${holder}?`,
];

describe.each(lists)('the list %s', (path) => {
  it('by cursor is the list by pages', async () => {
    const limit = 7;
    const byPage: unknown[] = [];
    for (let page = 1; ; page++) {
      const { items } = await partOf(`${path}&limit=${limit}&page=${page}`);
      if (items.length === 0) break;
      byPage.push(...items);
    }
    const byCursor: unknown[] = [];
    let cursor: string | null = null;
    do {
      const { items, next } = await partOf(`${path}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
      byCursor.push(...items);
      cursor = next;
    } while (cursor !== null);
    expect(byPage.length).toBeGreaterThan(0);
    expect(byCursor).toEqual(byPage);
    expect(byCursor.slice(0, 100)).toEqual((await partOf(`${path}&limit=100`)).items);
  });

  it('takes at most five statements, however many rows it has', async () => {
    statements = [];
    await partOf(`${path}&limit=100`);
    // Of one direction a further one says whether there is more to search.
    expect(statements.length).toBeLessThanOrEqual(path.includes('direction') ? 6 : 5);
  });
});

describe('the transactions of an address in one direction', () => {
  interface Listed {
    readonly hash: string;
    readonly inputs: readonly { readonly address?: string }[];
  }
  const isOut = ({ inputs }: Listed): boolean => inputs.some(({ address }) => address === holder);
  let all: readonly Listed[];

  beforeAll(async () => {
    const { items, next } = await partOf(`/addresses/${holder}/transactions?limit=100`);
    all = items as readonly Listed[];
    expect(next).toBeNull();
  });

  it('are those that spend outputs of it, or the others', async () => {
    const toTs = 4_102_444_800_000;
    for (const direction of ['in', 'out']) {
      const expected = all.filter((each) => isOut(each) === (direction === 'out'));
      expect(expected.length).toBeGreaterThan(0);
      for (const part of ['transactions?', `timeranged-transactions?fromTs=0&toTs=${toTs}&`])
        expect((await partOf(`/addresses/${holder}/${part}limit=100&direction=${direction}`)).items).toEqual(expected);
    }
    const unknown = await send(`/addresses/${holder}/transactions?direction=up`);
    expect([unknown.status, ((await unknown.json()) as { detail: string }).detail]).toEqual([
      400,
      'Invalid value for: query parameter direction (expected value to be one of (in, out), but got: "up")',
    ]);
  });

  it.each([1, 2, 3])('are found when one request searches %s transactions', async (searched) => {
    for (const direction of ['in', 'out'] as const) {
      const found: string[] = [];
      let after: readonly bigint[] | undefined;
      let requests = 0;
      do {
        const page = { limit: 2, offset: 0, after };
        const of = { address: holder, direction, searched };
        const part = await inSnapshot(
          explorer.database,
          (snapshot) => listTransactionsOfAddress(snapshot, of, page),
          5_000,
        );
        found.push(...part.items.map(({ hash }) => hash));
        after = part.next;
        requests += 1;
      } while (after !== undefined);
      expect(found).toEqual(all.filter((each) => isOut(each) === (direction === 'out')).map(({ hash }) => hash));
      expect(requests).toBeLessThanOrEqual(all.length + 1);
    }
  });
});

describe('lists without block rewards', () => {
  interface AmountForm {
    readonly address: string;
    readonly attoCoinAmount: string;
  }
  interface TransactionForm {
    readonly hash: string;
    readonly coinbase: boolean;
    readonly blockHeight: number;
    readonly inputs: readonly AmountForm[];
    readonly outputs: readonly AmountForm[];
  }
  const allOf = async <Form>(path: string): Promise<Form[]> => {
    const all: Form[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { items, next } = await partOf(`${path}limit=100${cursor && `&cursor=${cursor}`}`);
      all.push(...(items as readonly Form[]));
      cursor = next;
    }
    return all;
  };
  /** What addresses gain in a transaction. */
  const gainsOf = ({ inputs, outputs }: TransactionForm): bigint => {
    const gains = new Map<string, bigint>();
    for (const [parts, sign] of [
      [inputs, -1n],
      [outputs, 1n],
    ] as const)
      for (const { address, attoCoinAmount } of parts)
        gains.set(address, (gains.get(address) ?? 0n) + sign * BigInt(attoCoinAmount));
    return [...gains.values()].reduce((sum, gain) => (gain > 0n ? sum + gain : sum), 0n);
  };

  it('have all others: transactions, and the blocks that have some', async () => {
    const transactions = await allOf<TransactionForm>('/transactions?');
    const paid = transactions.filter(({ coinbase, blockHeight }) => !coinbase && blockHeight > 0);
    expect(await allOf('/transactions?payments=true&')).toEqual(paid);
    const blocks = await allOf<{ readonly txNumber: number }>('/blocks?');
    const holding = blocks.filter(({ txNumber }) => txNumber > 1);
    expect(await allOf('/blocks?payments=true&')).toEqual(holding);
    expect(paid.length).toBeGreaterThanOrEqual(holding.length);
    expect(holding.length).toBeLessThan(blocks.length);
  });

  it('stand beside summaries of blocks: who was paid, and what was moved', async () => {
    const blocks = await allOf<{ readonly hash: string; readonly height: number; readonly txNumber: number }>(
      '/blocks?',
    );
    const some = blocks.filter(({ txNumber }) => txNumber > 1).slice(0, 40);
    const genesis = blocks.filter(({ height }) => height === 0).slice(0, 2);
    const asked = [...some, ...blocks.slice(0, 20), ...genesis].map(({ hash }) => hash);
    const body = JSON.stringify([...asked, 'ab'.repeat(32)]);
    const answer = await send('/blocks/summaries', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const found = new Map(((await answer.json()) as readonly { hash: string }[]).map((one) => [one.hash, one]));
    expect(found.size).toBe(new Set([...some, ...blocks.slice(0, 20)].map(({ hash }) => hash)).size);
    for (const hash of found.keys()) {
      const { items } = await partOf(`/blocks/${hash}/transactions?limit=100`);
      const [paid, [reward]] = [true, false].map((isPaid) =>
        (items as readonly TransactionForm[]).filter(({ coinbase }) => coinbase !== isPaid),
      ) as [TransactionForm[], [TransactionForm]];
      expect(found.get(hash)).toEqual({
        hash,
        miner: reward.outputs[0]!.address,
        reward: reward.outputs[0]!.attoCoinAmount,
        moved: String(paid.reduce((sum, transaction) => sum + gainsOf(transaction), 0n)),
      });
    }
    const tooMany = JSON.stringify(Array<string>(81).fill('ab'.repeat(32)));
    for (const refused of [tooMany, '["ab"]', '{}']) {
      const { status } = await send('/blocks/summaries', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: refused,
      });
      expect([refused.slice(0, 8), status]).toEqual([refused.slice(0, 8), 400]);
    }
  });
});

describe('charts without block rewards', () => {
  interface BlockForm {
    readonly timestamp: number;
    readonly chainFrom: number;
    readonly chainTo: number;
    readonly txNumber: number;
    readonly hashRate: string;
  }
  const minuteMs = 60_000;
  const newestBlocks = async (): Promise<BlockForm[]> => {
    const { items } = await partOf('/blocks?limit=100');
    return items as BlockForm[];
  };

  it('have the minutes of the last hour', async () => {
    const blocks = await newestBlocks();
    const { groups } = history.settings;
    const minuteOf = (timestamp: number): number => timestamp - (timestamp % minuteMs);
    const now = blocks[0]!.timestamp;
    const before = explorer.clock.now();
    explorer.clock.setWallClock(now);
    const minutes = (await (await send('/charts/last-hour')).json()) as {
      timestamp: number;
      hashrate: string;
      counts: number[];
    }[];
    explorer.clock.setWallClock(before);
    const first = Math.max(minuteOf(now) - 59 * minuteMs, minuteOf(blocks.at(-1)!.timestamp) + minuteMs);
    const known = minutes.filter(({ timestamp }) => timestamp >= first);
    const labels = [...new Set(blocks.map(({ timestamp }) => minuteOf(timestamp)).filter((label) => label >= first))];
    expect(known.map(({ timestamp }) => timestamp)).toEqual(labels.sort((a, b) => a - b));
    expect(labels.length).toBeGreaterThan(0);
    for (const { timestamp, hashrate, counts } of known) {
      const own = blocks.filter((block) => minuteOf(block.timestamp) === timestamp);
      const expected = new Array<number>(groups ** 2).fill(0);
      for (const { chainFrom, chainTo, txNumber } of own) expected[chainFrom * groups + chainTo]! += txNumber - 1;
      expect(counts).toEqual(expected);
      const mean = own.reduce((sum, { hashRate }) => sum + Number(hashRate), 0) / own.length;
      expect(Number(hashrate)).toBeCloseTo(mean, 1);
    }
  });

  it('count those of each hour, day or week', async () => {
    const [{ timestamp: newest }] = (await newestBlocks()) as [BlockForm];
    const span = `fromTs=${newest - 20 * 86_400_000}&toTs=${newest}&interval-type=hourly`;
    const sums = async (path: string): Promise<number> =>
      ((await (await send(path)).json()) as { totalCountAllChains: number }[]).reduce(
        (sum, { totalCountAllChains }) => sum + totalCountAllChains,
        0,
      );
    const [all, paid] = [
      await sums(`/charts/transactions-count?${span}`),
      await sums(`/charts/transactions-count?${span}&payments=true`),
    ];
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBeLessThan(all);
    const perChain = (await (await send(`/charts/transactions-count-per-chain?${span}&payments=true`)).json()) as {
      totalCountPerChain: { count: number }[];
    }[];
    expect(
      perChain.flatMap(({ totalCountPerChain }) => totalCountPerChain).reduce((sum, { count }) => sum + count, 0),
    ).toBe(paid);
  });
});

describe('the events of an address', () => {
  it('are those of all contracts whose transactions it alone pays for, the newest block first', async () => {
    interface EventForm {
      readonly blockHash: string;
      readonly contractAddress: string;
      readonly inputAddress: string | null;
    }
    const all: EventForm[] = [];
    for (let page = 1; ; page++) {
      const { items } = await partOf(`/transactions?limit=100&page=${page}`);
      if (items.length === 0) break;
      for (const { hash, scriptOpt } of items as readonly { hash: string; scriptOpt: string | null }[])
        if (scriptOpt !== null)
          all.push(...((await partOf(`/contract-events/transaction-id/${hash}`)).items as EventForm[]));
    }
    const { items } = await partOf(`/contract-events/input-address/${holder}?limit=100`);
    const expected = all.filter(({ inputAddress }) => inputAddress === holder);
    expect(items).toHaveLength(Math.min(100, expected.length));
    const known = new Set(expected.map((event) => JSON.stringify(event)));
    expect(items.filter((event) => !known.has(JSON.stringify(event)))).toEqual([]);
    expect(new Set((items as EventForm[]).map(({ contractAddress }) => contractAddress)).size).toBeGreaterThan(1);
  });
});

describe('the overview of an address', () => {
  it.each([miner, holder])('is of %s what the single operations answer', async (address) => {
    const overview: unknown = await (await send(`/addresses/${address}/overview`)).json();
    const { items: transactions, next } = await partOf(`/addresses/${address}/transactions`);
    const answer = async (path: string): Promise<unknown> => (await send(`/addresses/${address}${path}`)).json();
    expect(overview).toEqual({
      info: await answer(''),
      utxos: await answer('/utxo-summary'),
      tokens: await answer('/tokens-balance?limit=100'),
      pending: await answer('/mempool/transactions'),
      transactions,
      ...(next === null ? {} : { nextCursor: next }),
    });
    expect(transactions.length).toBeGreaterThan(0);
  });
});

describe('the summary of unspent outputs', () => {
  interface OutputForm {
    readonly key: string;
    readonly address: string;
    readonly attoCoinAmount: string;
    readonly lockTime?: number;
    readonly spent?: string;
  }
  interface TransactionForm {
    readonly hash: string;
    readonly outputs: readonly OutputForm[];
  }
  /** Of an address, unspent, and the transactions that made them, the newest first. */
  const outputsOf = async (address: string): Promise<(OutputForm & { readonly txHash: string })[]> => {
    const all: (OutputForm & { readonly txHash: string })[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/addresses/${address}/transactions?limit=100${cursor && `&cursor=${cursor}`}`;
      const { items, next } = await partOf(path);
      for (const { hash, outputs } of items as readonly TransactionForm[])
        all.push(...outputs.map((output) => ({ ...output, txHash: hash })));
      cursor = next;
    }
    return all.filter((output) => output.address === address && output.spent === undefined);
  };
  /** 1, 2 or 5 times a power of ten. */
  const sizeOf = (amount: bigint): bigint => {
    const power = 10n ** BigInt(amount.toString().length - 1);
    return [5n, 2n, 1n].map((step) => step * power).find((from) => from <= amount)!;
  };

  it.each([miner, holder])('counts those of %s, each in its size', async (address) => {
    statements = [];
    const summary: unknown = await (await send(`/addresses/${address}/utxo-summary`)).json();
    expect(statements.length).toBeLessThanOrEqual(5);
    const amounts = (await outputsOf(address)).map(({ attoCoinAmount }) => BigInt(attoCoinAmount));
    const sizes = [...new Set(amounts.map(sizeOf))].sort((a, b) => (a < b ? -1 : 1));
    const ofSize = (from: bigint): bigint[] => amounts.filter((amount) => sizeOf(amount) === from);
    expect(amounts.length).toBeGreaterThan(0);
    expect(summary).toMatchObject({
      utxoNumber: amounts.length,
      countedNumber: amounts.length,
      sizes: sizes.map((from) => ({
        from: String(from),
        utxoNumber: ofSize(from).length,
        attoCoinAmount: String(ofSize(from).reduce((sum, amount) => sum + amount, 0n)),
      })),
    });
  });

  const listedOf = async (address: string): Promise<readonly unknown[] | undefined> => {
    const answer = await send(`/addresses/${address}/utxo-summary`);
    return ((await answer.json()) as { readonly outputs?: readonly unknown[] }).outputs;
  };

  it.each([miner, holder])('lists those of %s, the largest first, with locks that have not ended', async (address) => {
    const outputs = (await outputsOf(address)).sort((a, b) =>
      Number(BigInt(b.attoCoinAmount) - BigInt(a.attoCoinAmount)),
    );
    const before = explorer.clock.now();
    const locks = outputs.flatMap(({ lockTime }) => lockTime ?? []).sort((a, b) => a - b);
    for (const now of [0, locks[locks.length >> 1] ?? before, (locks.at(-1) ?? before) + 1]) {
      explorer.clock.setWallClock(now);
      expect(await listedOf(address)).toEqual(
        outputs.map(({ key, attoCoinAmount, txHash, lockTime }) => ({
          key,
          attoCoinAmount,
          txHash,
          ...(lockTime !== undefined && lockTime >= now ? { lockTime } : {}),
        })),
      );
    }
    explorer.clock.setWallClock(before);
  });

  it('lists at most 399', async () => {
    const { database } = explorer;
    const { schema } = database;
    const own = `address_id = (SELECT address_id FROM ${schema}.addresses WHERE address = '${holder}')`;
    const addOutputs = (from: number, to: number): Promise<unknown> =>
      database.query(
        'more-outputs',
        `WITH added AS (
           INSERT INTO ${schema}.outputs (tx_id, output_order, key, address_id, hint, contract, fixed, amount)
           SELECT tx_id, i, sha256(i::text::bytea), address_id, 0, false, true, 7
           FROM (SELECT * FROM ${schema}.address_txs WHERE ${own} LIMIT 1) t, generate_series($1::int4, $2::int4) i
           RETURNING 1)
         UPDATE ${schema}.addresses SET utxo_count = utxo_count + (SELECT count(*) FROM added) WHERE ${own}`,
        [from, to],
      );
    const before = (await listedOf(holder))!.length;
    await addOutputs(1_001, 1_399 - before);
    expect(await listedOf(holder)).toHaveLength(399);
    await addOutputs(1_400, 1_400);
    expect(await listedOf(holder)).toBeUndefined();
    await database.query(
      'as-before',
      `WITH removed AS (DELETE FROM ${schema}.outputs WHERE ${own} AND output_order > 1000 RETURNING 1)
       UPDATE ${schema}.addresses SET utxo_count = utxo_count - (SELECT count(*) FROM removed) WHERE ${own}`,
    );
    expect(await listedOf(holder)).toHaveLength(before);
  });

  it('names the next end of a lock', async () => {
    const { database } = explorer;
    const rows = await database.query<{ address: string }>(
      'locked-addresses',
      `SELECT DISTINCT a.address FROM ${database.schema}.outputs o JOIN ${database.schema}.addresses a USING (address_id)
       WHERE o.lock_time IS NOT NULL AND o.spent_by IS NULL`,
    );
    const before = explorer.clock.now();
    expect(rows.length).toBeGreaterThan(0);
    for (const { address } of rows) {
      const locked = (await outputsOf(address)).filter(({ lockTime }) => lockTime !== undefined);
      const [next] = locked.map(({ lockTime }) => lockTime!).sort((a, b) => a - b);
      const nextUnlockAt = async (now: number): Promise<unknown> => {
        explorer.clock.setWallClock(now);
        const answer = await send(`/addresses/${address}/utxo-summary`);
        return ((await answer.json()) as { readonly nextUnlock?: unknown }).nextUnlock;
      };
      const amount = locked
        .filter(({ lockTime }) => lockTime === next)
        .reduce((sum, { attoCoinAmount }) => sum + BigInt(attoCoinAmount), 0n);
      expect(await nextUnlockAt(next!)).toEqual({ lockTime: next, attoCoinAmount: String(amount) });
      expect(await nextUnlockAt(Math.max(...locked.map(({ lockTime }) => lockTime!)) + 1)).toBeUndefined();
    }
    explorer.clock.setWallClock(before);
  });
});

it('a cursor of another list is refused', async () => {
  const { next } = await partOf('/blocks?limit=1');
  expect((await send(`/tokens?cursor=${next}`)).status).toBe(400);
});

it('a long list is compressed', async () => {
  const answer = await send('/transactions?limit=100', { headers: { 'accept-encoding': 'gzip, br' } });
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(await answer.json()).toHaveLength(100);
});

describe('the search', () => {
  const search = async (text: string): Promise<unknown> => (await send(`/search?q=${encodeURIComponent(text)}`)).json();
  const anyHash = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;

  it('finds by hash and id, in any case', async () => {
    const [block] = (await partOf('/blocks?limit=1')).items as { readonly hash: string }[];
    const [transaction] = (await partOf('/transactions?limit=1')).items as { readonly hash: string }[];
    expect(await search(block!.hash.toUpperCase())).toEqual([{ kind: 'block', id: block!.hash }]);
    expect(await search(transaction!.hash)).toEqual([{ kind: 'transaction', id: transaction!.hash }]);
    expect(await search(token)).toEqual([{ kind: 'token', id: token }]);
    expect(await search('ab'.repeat(32))).toEqual([]);
  });

  it('finds addresses, with their contract and token, and by public key', async () => {
    expect(await search(` ${holder} `)).toEqual([{ kind: 'address', id: holder }]);
    const ofToken = addressOf({ kind: 'p2c', contractId: token });
    expect(await search(ofToken)).toEqual([
      { kind: 'address', id: ofToken },
      { kind: 'contract', id: ofToken },
      { kind: 'token', id: token },
    ]);
    const key = (await (await send(`/addresses/${holder}/public-key`)).json()) as string;
    expect(await search(key)).toEqual([{ kind: 'address', id: holder }]);
  });

  it('labels a token with its symbol, however it is found', async () => {
    const { database } = explorer;
    const { schema } = database;
    await database.script(`INSERT INTO ${schema}.fungible_metadata
      SELECT token_id, 'Sym', 'A long name', 18 FROM ${schema}.tokens WHERE token = '\\x${token}'`);
    const found = { kind: 'token', id: token, label: 'Sym' };
    expect(await search(token)).toEqual([found]);
    expect(await search(addressOf({ kind: 'p2c', contractId: token }))).toContainEqual(found);
    expect(await search('sy')).toEqual([found]);
    expect(await search('a LONG')).toEqual([found]);
  });

  it('finds the blocks of a height, ten at most', async () => {
    const found = (await search('1')) as readonly { readonly label: string }[];
    expect(found).toHaveLength(10);
    expect(found.slice(0, 2)).toEqual([
      { kind: 'block', id: anyHash, label: '0 -> 0' },
      { kind: 'block', id: anyHash, label: '0 -> 1' },
    ]);
    expect(await search('99999999999')).toEqual([]);
  });

  it('finds what is pasted, whatever stands around it', async () => {
    const [transaction] = (await partOf('/transactions?limit=1')).items as { readonly hash: string }[];
    const { hash } = transaction!;
    for (const pasted of [
      `"0x${hash.toUpperCase()}",`,
      `${hash.slice(0, 20)}\n${hash.slice(20)}`,
      `https://a.b/#/tx/${hash}`,
    ])
      expect([pasted, await search(pasted)]).toEqual([pasted, [{ kind: 'transaction', id: hash }]]);
    expect(await search(`\u200balephium:${holder}:0`)).toEqual([{ kind: 'address', id: holder }]);
    expect(await search('#1')).toEqual(await search('1'));
    expect(await search('0 → 1, height #1')).toEqual([{ kind: 'block', id: anyHash, label: '0 -> 1' }]);
  });

  it('finds by the beginning of an address, hash or id, and by both ends', async () => {
    const [block] = (await partOf('/blocks?limit=1')).items as { readonly hash: string }[];
    const [transaction] = (await partOf('/transactions?limit=1')).items as { readonly hash: string }[];
    const ofToken = addressOf({ kind: 'p2c', contractId: token });
    for (const [kind, id] of [
      ['block', block!.hash],
      ['transaction', transaction!.hash],
      ['token', token],
      ['address', holder],
      ['address', ofToken],
    ] as const) {
      const found = expect.objectContaining({ kind, id }) as unknown;
      expect(await search(id.slice(0, 8))).toContainEqual(found);
      expect(await search(id.slice(0, -1))).toContainEqual(found);
      expect(await search(`${id.slice(0, 6)}…${id.slice(-5)}`)).toContainEqual(found);
      expect(await search(`${id.slice(0, 6)}...${id.slice(-5)}x`)).not.toContainEqual(found);
      expect(await search(id.slice(0, 4))).not.toContainEqual(found);
    }
    expect(await search(token.slice(0, 7).toUpperCase())).toContainEqual({ kind: 'contract', id: ofToken });
    const [first, ...more] = (await search('19Tk6')) as { readonly id: string }[];
    expect([first!.id.slice(0, 5), more.length < 10]).toEqual(['19Tk6', true]);
  });

  it.each(['%', 'x', 'no such name', '', '\0'])('finds nothing for %j, which is no error', async (text) => {
    expect(await search(text)).toEqual([]);
  });
});

describe('a file of transactions', () => {
  const [fromTs, toTs] = [1_740_000_000_000, 1_742_000_000_000];
  const fileOf = (address: string, from = fromTs, to = toTs) =>
    send(`/addresses/${address}/export-transactions/csv?fromTs=${from}&toTs=${to}`);

  it('has each transaction of the interval, in batches', async () => {
    const listed = await partOf(
      `/addresses/${holder}/timeranged-transactions?fromTs=${fromTs}&toTs=${toTs - 1}&limit=100`,
    );
    const answer = await fileOf(holder);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment;filename="${holder}-${fromTs}-${toTs}.csv"`,
    ]);
    const ids = (await answer.text())
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(',')[3]);
    expect([...new Set(ids)]).toEqual((listed.items as { hash: string }[]).map(({ hash }) => hash));
  });

  it('is refused for too many transactions, and has its header alone for none', async () => {
    expect(Number(await (await send(`/addresses/${miner}/total-transactions`)).text())).toBeGreaterThan(mostExported);
    const answer = await fileOf(miner);
    const detail = `Too many transactions for that address in this time range, limit is ${mostExported}`;
    expect([answer.status, await answer.json()]).toEqual([400, { detail }]);
    expect(await (await fileOf(holder, 1, 2)).text()).toBe('Date,Amount,Currency,TxHash,FromAddresses,ToAddresses\n');
  });

  it('comes twice at once for one client', async () => {
    let letGo = (): void => undefined;
    // Who reads waits for the only connection, so that two are under way when the others come.
    const held = explorer.database.transaction(() => new Promise<void>((resolve) => (letGo = resolve)));
    const answered: Response[] = [];
    const files = Array.from({ length: 12 }, async () => {
      const answer = await fileOf(holder);
      answered.push(answer);
      return { status: answer.status, text: await answer.text() };
    });
    try {
      await until('the refusal of the others', () => answered.length === 10);
      for (const { status, headers } of answered) expect([status, headers.get('retry-after')]).toEqual([429, '5']);
    } finally {
      letGo();
    }
    await held;
    const statuses = (await Promise.all(files)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect((await fileOf(holder)).status).toBe(200);
  });
});

describe('the blocks of a chain', () => {
  interface Listed {
    readonly height: number;
    readonly mainChain: boolean;
  }
  const blocksOf = async (path: string): Promise<Listed[]> => (await (await send(path)).json()) as Listed[];

  it('are those of its heights, highest first, with those beside the main chain', async () => {
    const top = (await blocksOf('/chains/0/0/blocks?limit=1'))[0]!.height;
    await explorer.index.reorganise({ from: 0, to: 0 }, top - 2, []);
    let beside = 0;
    for (const { from, to } of allChainIndexes(history.settings.groups)) {
      const path = `/chains/${from}/${to}/blocks`;
      const all: Listed[] = [];
      const newest = await blocksOf(path);
      for (let height = newest[0]!.height + 2; height >= 0; height--)
        all.push(...(await blocksOf(`${path}/${height}`)));
      beside += all.filter(({ mainChain }) => !mainChain).length;
      const head = newest[0]!.height;
      const within = (highest: number, limit: number): Listed[] =>
        all.filter(({ height }) => height <= highest && height > highest - limit);
      expect(newest).toEqual(within(head, 20));
      expect(await blocksOf(`${path}?limit=3`)).toEqual(within(head, 3));
      expect(await blocksOf(`${path}?highest=${head + 5}&limit=100`)).toEqual(within(head + 5, 100));
      expect(await blocksOf(`${path}?highest=4&limit=3`)).toEqual(within(4, 3));
      expect(await blocksOf(`${path}?highest=2`)).toEqual(within(2, 20));
    }
    expect(beside).toBe(2);
    await node.follow();
    expect(await blocksOf('/chains/9/9/blocks')).toEqual([]);
    expect((await send('/chains/0/0/blocks?limit=101')).status).toBe(400);
  });
});

describe('headers of answers', () => {
  const cacheControlOf = async (path: string): Promise<string | null> =>
    (await send(path)).headers.get('cache-control');
  const anHour = `fromTs=1740000000000&toTs=1740003600000&interval-type=hourly`;

  it('let a final block be kept for ever, and no other one', async () => {
    const heights = (await (await send('/infos/heights')).json()) as readonly { readonly height: number }[];
    const top = Math.max(...heights.map(({ height }) => height));
    const { chainFrom, chainTo } = heights.find(({ height }) => height === top) as never;
    const hashesAt = async (height: number): Promise<readonly { hash: string; mainChain: boolean }[]> =>
      (await (await send(`/chains/${chainFrom}/${chainTo}/blocks/${height}`)).json()) as never;
    for (let height = 0; height <= top; height++) {
      for (const { hash, mainChain } of await hashesAt(height)) {
        const isFinal = mainChain && height <= top - finalityDepth;
        const expected = `public, max-age=${isFinal ? '31536000, immutable' : '1'}`;
        expect([height, mainChain, await cacheControlOf(`/blocks/${hash}`)]).toEqual([height, mainChain, expected]);
      }
    }
    expect(top).toBeGreaterThan(finalityDepth);
  });

  it.each([
    [`/charts/hashrates?${anHour}`, 'public, max-age=60'],
    ['/infos/supply', 'public, max-age=60'],
    ['/infos/supply/now', 'public, max-age=10'],
    ['/infos/supply/total-coin', 'public, max-age=60'],
    ['/infos/heights', 'public, max-age=1'],
    ['/charts/hashrates', null],
    [`/blocks/${'ab'.repeat(32)}`, null],
  ])('of %s say %s', async (path, expected) => {
    expect(await cacheControlOf(path)).toBe(expected);
  });

  it('tell the age of the index once its newest block is older than 120 s', async () => {
    const lagOf = async (): Promise<string | null> => (await send('/blocks?limit=0')).headers.get('x-explorer-lag-ms');
    const newest = ((await (await send('/blocks?limit=1')).json()) as { blocks: [{ timestamp: number }] }).blocks[0];
    explorer.clock.setWallClock(newest.timestamp + 119_000);
    expect(await lagOf()).toBeNull();
    explorer.clock.advance(1_000);
    expect(await lagOf()).toBeNull();
    explorer.clock.advance(1);
    expect(await lagOf()).toBe('120001');
    const { headers } = await send('/health/live');
    expect(headers.get('x-explorer-lag-ms')).toBeNull();
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AssetLockupScript, type Hash, referenceId } from '@shardnode/protocol/primitives';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { type GroupStore, type Utxo } from '../src/store/index.js';
import { type TestStores } from './support/embedded-stores.js';
import { overEachStore } from './support/server-stores.js';
import { InventedChain, inventedUtxo } from './support/invented-chain.js';

const group = 0;
const [alice, bob, carol, dave] = testKeysOfGroup(group, 4).map((key) => key.lockupScript) as [
  AssetLockupScript,
  AssetLockupScript,
  AssetLockupScript,
  AssetLockupScript,
];
const token = 'aa'.repeat(32);
const otherToken = 'bb'.repeat(32);
const keysOf = (utxos: readonly Utxo[]): Hash[] => utxos.map(({ reference }) => reference.key);
const byKey = (a: Utxo, b: Utxo): number => (a.reference.key < b.reference.key ? -1 : 1);

overEachStore('the store of a group-node', (openStores) => {
  let stores: TestStores;
  let store: GroupStore;
  let chain: InventedChain;
  let head: Hash;
  beforeAll(async () => {
    stores = await openStores();
    store = await stores.store(group);
    chain = new InventedChain(group);
    await store.commitBlocks(chain.genesis);
    head = chain.genesisHash;
  });
  afterAll(() => stores.remove());

  const add = async (added: readonly Utxo[], removed: readonly Utxo[] = []): Promise<void> => {
    const commit = chain.block(head, { added, removed: removed.map(({ reference }) => reference) });
    await store.commitBlock(commit);
    head = commit.header.hash;
  };

  it('shows the genesis allocation', async () => {
    expect(store.projectionHead()).toBe(chain.genesisHash);
    expect(await store.checkProjection()).toEqual({ equal: true, utxoCount: 1 });
    expect(await store.chainRows([chain.genesisHash])).toHaveLength(1);
  });

  it('sums coins and tokens, locked ones beside, whatever the size of the amounts', async () => {
    const huge = 2n ** 255n;
    const later = 1_900_000_000_000n;
    await add([
      inventedUtxo({ lockupScript: alice, amount: huge }),
      inventedUtxo({ lockupScript: alice, amount: huge - 1n, lockTime: later }),
      inventedUtxo({ lockupScript: alice, amount: 5n, tokens: [{ id: token, amount: huge }] }),
      inventedUtxo({ lockupScript: alice, amount: 5n, tokens: [{ id: token, amount: 7n }], lockTime: later + 1n }),
      inventedUtxo({ lockupScript: alice, amount: 5n, tokens: [{ id: otherToken, amount: 1n }] }),
    ]);
    const total = { amount: 2n ** 256n + 14n, utxoCount: 5 };
    const tokens = [
      { id: token, amount: huge + 7n },
      { id: otherToken, amount: 1n },
    ];
    expect(await store.balance(alice, later - 1n)).toEqual({
      ...total,
      lockedAmount: huge + 4n,
      tokens,
      lockedTokens: [{ id: token, amount: 7n }],
    });
    expect(await store.balance(alice, later)).toMatchObject({ ...total, lockedAmount: 5n });
    expect(await store.balance(alice, later + 1n)).toMatchObject({ ...total, lockedAmount: 0n, lockedTokens: [] });
    // A clock behind the head: what carries no mark is looked at too.
    expect(await store.balance(alice, -1n)).toMatchObject({ ...total, lockedAmount: total.amount });
    expect(await store.balance(dave, 0n)).toEqual({
      amount: 0n,
      lockedAmount: 0n,
      tokens: [],
      lockedTokens: [],
      utxoCount: 0,
    });
  });
  it('takes out what is spent, from rows and sums alike, and says which references are unspent', async () => {
    const spent = inventedUtxo({ lockupScript: bob, amount: 10n, tokens: [{ id: token, amount: 3n }] });
    const kept = inventedUtxo({ lockupScript: bob, amount: 1n, additionalData: new Uint8Array([1, 2]) });
    await add([spent, kept]);
    await add([], [spent]);
    expect(await store.balance(bob, 0n)).toMatchObject({ amount: 1n, tokens: [], utxoCount: 1 });
    expect(await store.listUtxos({ lockupScript: bob, limit: 10 })).toEqual([kept]);
    expect(await store.hasUtxos([spent.reference, kept.reference])).toEqual(new Set([referenceId(kept.reference)]));
    expect(await store.checkProjection()).toMatchObject({ equal: true });
  });

  it('lists and selects in pages, in both directions, ties by ascending key', async () => {
    const plain = Array.from({ length: 60 }, (_, i) =>
      inventedUtxo({ lockupScript: carol, amount: BigInt(i % 7) + 1n }),
    );
    const bearing = Array.from({ length: 25 }, (_, i) =>
      inventedUtxo({
        lockupScript: carol,
        amount: BigInt(i % 3) + 1n,
        tokens: [{ id: i % 2 ? token : otherToken, amount: BigInt(i % 4) }],
      }),
    );
    await add([...plain, ...bearing]);
    const compare = (a: readonly bigint[], b: readonly bigint[]): number => {
      const i = a.findIndex((value, at) => value !== b[at]);
      return i < 0 ? 0 : a[i]! < b[i]! ? -1 : 1;
    };
    const expected = (utxos: readonly Utxo[], values: (utxo: Utxo) => bigint[], direction: string): Hash[] => {
      const turn = direction === 'ascending' ? 1 : -1;
      return keysOf([...utxos].sort(byKey).sort((a, b) => turn * compare(values(a), values(b))));
    };
    const amount = ({ output }: Utxo): bigint[] => [output.amount];
    const withToken = bearing.filter(({ output }) => output.tokens[0]!.id === token);
    const tokenThenAmount = ({ output }: Utxo): bigint[] => [output.tokens[0]!.amount, output.amount];
    for (const direction of ['ascending', 'descending'] as const) {
      for (const [kind, utxos, values] of [
        [{ kind: 'withoutToken' }, plain, amount],
        [{ kind: 'withToken' }, bearing, amount],
        [{ kind: 'token', tokenId: token }, withToken, tokenThenAmount],
      ] as const) {
        for (const limit of [1, 4, 9, 1000]) {
          const found: Utxo[] = [];
          for (;;) {
            const page = await store.selectUtxos({
              lockupScript: carol,
              class: kind,
              direction,
              limit,
              after: found.at(-1),
            });
            found.push(...page);
            if (page.length < limit) break;
          }
          expect(keysOf(found)).toEqual(expected(utxos, values, direction));
        }
      }
    }
    const all: Utxo[] = [];
    for (let offset = 0; ; offset += 11) {
      const page = await store.listUtxos({ lockupScript: carol, offset, limit: 11 });
      all.push(...page);
      if (page.length < 11) break;
    }
    expect(keysOf(all)).toEqual([...expected(plain, amount, 'ascending'), ...expected(bearing, amount, 'ascending')]);
    expect([...all].sort(byKey)).toEqual([...plain, ...bearing].sort(byKey));
  });

  it('selects only what is usable at a time, and only below an amount', async () => {
    const locked = inventedUtxo({ lockupScript: dave, amount: 1n, lockTime: 1_900_000_000_000n });
    const small = inventedUtxo({ lockupScript: dave, amount: 2n });
    const large = inventedUtxo({ lockupScript: dave, amount: 3n });
    await add([locked, small, large]);
    const query = { lockupScript: dave, class: { kind: 'withoutToken' }, limit: 10 } as const;
    for (const direction of ['ascending', 'descending'] as const) {
      const at = (usableAt: bigint) => store.selectUtxos({ ...query, direction, usableAt });
      expect(await at(1_900_000_000_000n)).toHaveLength(3);
      expect(await at(1_899_999_999_999n)).toHaveLength(2);
      expect(keysOf(await store.selectUtxos({ ...query, direction, below: 3n, usableAt: 0n }))).toEqual(
        keysOf([small]),
      );
    }
  });

  it('writes all of a commit or nothing, and goes on after one that failed', async () => {
    const fresh = inventedUtxo({ lockupScript: bob, amount: 1n });
    const missing = inventedUtxo({ lockupScript: bob, amount: 1n });
    const many = Array.from({ length: 1200 }, () => inventedUtxo({ lockupScript: bob, amount: 1n }));
    await add(many);
    const before = await snapshot();
    for (const added of [
      [fresh],
      Array.from({ length: 1200 }, () => inventedUtxo({ lockupScript: bob, amount: 1n })),
    ]) {
      const commit = chain.block(head, { added });
      const broken = { ...commit, worldState: { ...commit.worldState!, removed: [missing.reference] } };
      await expect(store.commitBlock({ ...broken, pool: { removed: [], added: [] } })).rejects.toThrow('projection');
      expect(await snapshot()).toEqual(before);
      await expect(store.commitBlocks([commit, commit])).rejects.toThrow();
      expect(await snapshot()).toEqual(before);
    }
    expect(store.projectionHead()).toBe(head);
    await add([fresh]);
    expect(await store.checkProjection()).toMatchObject({ equal: true });
  });

  /** The number of rows of every table, and what addresses have. */
  const snapshot = async (): Promise<unknown> => {
    const tables = ['block_header', 'block_body', 'transaction_location', 'world_state', 'trie_node', 'utxo'];
    const balances = await Promise.all([alice, bob, carol, dave].map((owner) => store.balance(owner, 0n)));
    return [await stores.counts(group, tables), balances];
  };

  it('moves the projection to a fork, with what the losing branch had spent and made', async () => {
    const [a, b, c] = [1n, 2n, 3n].map((amount) => inventedUtxo({ lockupScript: alice, amount })) as [Utxo, Utxo, Utxo];
    await add([a]);
    const fork = head;
    const before = await store.balance(alice, 0n);
    await add([b], [a]);
    const losing = head;
    const winner = chain.block(fork, { added: [c] }, { projection: { undo: [losing], apply: [] } });
    await store.commitBlock({ ...winner, projection: { undo: [losing], apply: [winner.header.hash] } });
    head = winner.header.hash;
    expect(await store.balance(alice, 0n)).toMatchObject({ amount: before.amount + 3n });
    expect(await store.hasUtxos([a, b, c].map(({ reference }) => reference))).toEqual(
      new Set([referenceId(a.reference), referenceId(c.reference)]),
    );
    expect(await store.checkProjection()).toMatchObject({ equal: true });
    await expect(store.moveProjection({ undo: [losing], apply: [] })).rejects.toThrow('the projection is at');
    await store.moveProjection({ undo: [], apply: [] });
    expect(store.projectionHead()).toBe(head);
    // The state of any block can become the projection, and moves start there.
    await store.rebuildProjection(fork);
    expect([store.projectionHead(), await store.balance(alice, 0n)]).toEqual([fork, before]);
    expect(await store.checkProjection()).toMatchObject({ equal: true });
    await store.moveProjection({ undo: [], apply: [head] });
    expect(await store.balance(alice, 0n)).toMatchObject({ amount: before.amount + 3n });
  });

  it('keeps the pool and the reasons why transactions left it, through a restart', async () => {
    const pending = (byte: string, firstSeen: bigint) => ({
      txId: byte.repeat(32),
      chain: { from: 0, to: 3 },
      firstSeen,
      raw: new Uint8Array([1, 2, 3]),
    });
    const [one, two, three] = [pending('01', 5n), pending('02', 3n), pending('03', 4n)];
    await store.changePool({ added: [one, two] });
    await store.changePool({ added: [two, three] });
    stores = await stores.reopen();
    store = await stores.store(group);
    expect(await store.listPending()).toEqual([two, three, one]);
    const dropped = {
      txId: three.txId,
      code: 'DoubleSpending' as const,
      detail: 'a text',
      conflictingTxId: one.txId,
      droppedAt: 9n,
    };
    await store.changePool({ removed: [two.txId], dropped: [dropped] });
    expect(await store.listPending()).toEqual([one]);
    expect(await store.dropReason(three.txId)).toEqual(dropped);
    expect(await store.dropReason(two.txId)).toBeUndefined();
    await store.forgetDropReasons(9n);
    expect(await store.dropReason(three.txId)).toEqual(dropped);
    await store.forgetDropReasons(10n);
    expect(await store.dropReason(three.txId)).toBeUndefined();
    const commit = chain.block(head, {}, { pool: { removed: [one.txId] } });
    await store.commitBlock(commit);
    head = commit.header.hash;
    expect(await store.listPending()).toEqual([]);
  });

  it('takes the body of a block whose header came alone', async () => {
    const commit = chain.block(head, {}, { body: undefined });
    await store.commitBlock(commit);
    head = commit.header.hash;
    expect(await store.blockBody(head)).toBeUndefined();
    const body = new Uint8Array([9, 9]);
    await store.addBody(head, body);
    await store.addBody(head, new Uint8Array([1]));
    expect(await store.blockBody(head)).toEqual(body);
    await expect(store.addBody('cd'.repeat(32), body)).rejects.toThrow('no header');
  });
});

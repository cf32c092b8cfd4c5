import { expect, it } from '@jest/globals';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { assetLockupScriptCodec } from '@shardnode/protocol/primitives';
import { unlockScriptCodec } from '@shardnode/protocol/transaction';
import { allocationTransfer } from '@shardnode/testing/builders';
import { developmentKeys, testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { AddressRpc } from '../../src/rpc/address.js';
import { BuildingRpc } from '../../src/rpc/building.js';
import { ChainRpc } from '../../src/rpc/chain.js';
import { TransactionRpc } from '../../src/rpc/transaction.js';
import { type GroupStore } from '../../src/store/index.js';
import { type TestStores } from './embedded-stores.js';
import { openLoneNode } from './lone-node.js';
import { coin, until } from './network.js';

const chain = { from: 0, to: 0 };

const lockupHex = ({ lockupScript }: TestKey): string => bytesToHex(encode(assetLockupScriptCodec, lockupScript));
const unlockHex = ({ publicKey }: TestKey): string =>
  bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey }));

/** Holds commits until the returned function is called. */
export type Hold = () => Promise<() => void>;

/** The store of group 0, whose commits can be held. */
export interface HeldStore {
  readonly stores: TestStores;
  readonly store: GroupStore;
  readonly hold: Hold;
}

/** Reads while a commit is held, and with it the writer. */
export const answersReads = (open: () => Promise<HeldStore>): void => {
  it('reads of all kinds are answered, and of the state before it', async () => {
    const { stores, store, hold } = await open();
    const node = await openLoneNode(store);
    const [transactions, addresses, chains, building] = [
      new TransactionRpc(node),
      new AddressRpc(node),
      new ChainRpc(node),
      new BuildingRpc(node),
    ];
    const [rich] = (await developmentKeys()) as [TestKey];
    const [receiver, stranger] = testKeysOfGroup(0, 2) as [TestKey, TestKey];
    const balance = async (of: TestKey, mempool = true): Promise<bigint> =>
      BigInt((await addresses.balance({ lockupScript: lockupHex(of), mempool })).balance);
    const build = () =>
      building.transfer({
        lockupScript: lockupHex(rich),
        unlockScript: unlockHex(rich),
        destinations: [{ lockupScript: lockupHex(receiver), amount: coin.toString(), tokens: [] }],
        gasFormula: 'document',
      });
    const blockHash = await node.miner.mine(chain);
    const before = await balance(rich);

    const release = await hold();
    const submitted = node.submission.submit(await allocationTransfer());
    await until('the commit has begun', async () => node.importer.isCommitting);
    const [pending] = node.state.pool.all();
    const txId = pending!.id;
    let isDone = false;
    void submitted.then(() => (isDone = true));

    expect(await transactions.status({ txId })).toMatchObject({ type: 'MemPooled' });
    expect(await transactions.status({ txId: 'ab'.repeat(32) })).toEqual({ type: 'TxNotFound' });
    // Of addresses that are in memory, and that are not.
    expect(await balance(rich, false)).toBe(before);
    expect(await balance(rich)).toBeLessThan(before);
    expect([await balance(receiver, false), await balance(receiver), await balance(stranger)]).toEqual([0n, coin, 0n]);
    expect((await addresses.utxos({ lockupScript: lockupHex(rich) })).utxos).toHaveLength(1);
    expect((await addresses.utxos({ lockupScript: lockupHex(receiver), limit: 10 })).utxos).toHaveLength(1);
    expect(await build()).toMatchObject({ fromGroup: 0, toGroup: 0 });
    expect(await chains.block({ hash: blockHash })).toMatchObject({ height: 1, isCanonical: true });
    expect(await chains.hashes({ ...chain, height: 1 })).toEqual({ hashes: [blockHash] });
    expect(chains.info(chain)).toEqual({ currentHeight: 1 });
    expect(isDone).toBe(false);

    release();
    expect(await submitted).toMatchObject({ txId });
    await until('it is confirmed', async () => (await transactions.status({ txId })).type === 'Confirmed');
    expect([await balance(receiver, false), chains.info(chain)]).toEqual([coin, { currentHeight: 2 }]);
    await node.stop();
    await stores.remove();
  });
};

import { describe, expect, it } from '@jest/globals';
import { addressOf, multisigOf } from '@shardnode/protocol/address';
import { type TransactionTemplate, referenceOf, transactionId } from '@shardnode/protocol/transaction';
import { assetOutput } from '@shardnode/testing/builders';
import { testKey } from '@shardnode/testing/keys';
import { type PoolTransaction } from '../src/index.js';
import { TreeIndex } from './support/tree-index.js';
import { groups } from './trees/random-tree.js';

const chain = { from: 0, to: 1 };
const [sender, receiver] = [testKey(100, groups), testKey(101, groups)];
const multisig = multisigOf([testKey(102, groups).publicKey], 1);

interface PendingRow {
  readonly hash: string;
  readonly last_seen: bigint;
  readonly inputs: readonly Readonly<Record<string, unknown>>[];
  readonly outputs: readonly Readonly<Record<string, unknown>>[];
  readonly addresses: readonly string[];
}

describe('pending transactions', () => {
  const indexed = new TreeIndex(3);

  const rows = async (): Promise<PendingRow[]> => [
    ...(await indexed.database.query<PendingRow>(
      'pending-rows',
      `SELECT encode(hash, 'hex') AS hash, last_seen, inputs, outputs,
         (SELECT array_agg(a.address ORDER BY a.address) FROM explorer.pending_tx_addresses a WHERE a.hash = p.hash) AS addresses
       FROM explorer.pending_txs p ORDER BY last_seen, hash`,
    )),
  ];
  const hashes = async (): Promise<string[]> => (await rows()).map(({ hash }) => hash);

  const templateOf = (gasAmount: number, inputs: TransactionTemplate['unsigned']['inputs']): TransactionTemplate => ({
    unsigned: {
      version: 0,
      networkId: 4,
      script: undefined,
      gasAmount,
      gasPrice: 10n ** 11n,
      inputs,
      fixedOutputs: [
        { ...assetOutput(receiver.lockupScript, 5n), tokens: [{ id: 'a1'.repeat(32), amount: 7n }], lockTime: 9n },
        { ...assetOutput(multisig, 6n), additionalData: Uint8Array.of(1, 2) },
      ],
    },
    inputSignatures: [],
    scriptSignatures: [],
  });
  const unlock = { kind: 'p2pkh', publicKey: sender.publicKey } as const;
  const unknown = (n: number) => ({
    outputReference: { hint: 1, key: String(n).padStart(64, '0') },
    unlockScript: unlock,
  });
  const poolOf = (
    gasAmount: number,
    seenAt: bigint,
    inputs: TransactionTemplate['unsigned']['inputs'] = [unknown(gasAmount)],
  ): PoolTransaction => {
    const template = templateOf(gasAmount, inputs);
    return { txId: transactionId(template.unsigned), chain, template, seenAt };
  };

  it('shows the senders by what the inputs spend, or by their unlock scripts', async () => {
    const source = indexed.tree.blocks[0]!.block.transactions[0]!;
    const output = source.unsigned.fixedOutputs[0]!;
    const sourceId = transactionId(source.unsigned);
    const known = {
      outputReference: referenceOf(output, sourceId, 0),
      unlockScript: { kind: 'p2mpkh', keys: [] } as const,
    };
    const same = { ...unknown(2), unlockScript: { kind: 'sameAsPrevious' } as const };
    const pool = poolOf(30_000, 1_000n, [known, unknown(1), same]);
    await indexed.index.pending.change([pool], []);
    const [row] = await rows();
    const address = addressOf(output.lockupScript);
    expect(row!.inputs).toEqual([
      expect.objectContaining({
        outputRef: { hint: known.outputReference.hint, key: known.outputReference.key },
        contractInput: false,
        txHashRef: sourceId,
        address,
        attoCoinAmount: output.amount.toString(),
      }),
      expect.objectContaining({ address: sender.address, outputRef: unknown(1).outputReference }),
      expect.objectContaining({ address: sender.address, unlockScript: row!.inputs[1]!['unlockScript'] }),
    ]);
    expect(row!.inputs[1]).not.toHaveProperty('attoCoinAmount');
    expect(row!.outputs).toEqual([
      expect.objectContaining({
        type: 'AssetOutput',
        address: receiver.address,
        attoCoinAmount: '5',
        tokens: [{ id: 'a1'.repeat(32), amount: '7' }],
        lockTime: 9,
        message: '',
        fixedOutput: true,
      }),
      expect.objectContaining({ address: addressOf(multisig), message: '0102' }),
    ]);
    expect(row!.outputs[1]).not.toHaveProperty('lockTime');
    expect(row!.addresses).toEqual(
      [...new Set([address, sender.address, receiver.address, addressOf(multisig)])].sort(),
    );
  });

  it('the time of the first sight stays; what is removed is gone', async () => {
    const [a, b] = [poolOf(1, 1_000n), poolOf(2, 2_000n)];
    await indexed.index.pending.change([a, b], []);
    await indexed.index.pending.change([{ ...a, seenAt: 9_000n }, b, b], []);
    expect((await rows()).map(({ last_seen }) => last_seen)).toEqual([1_000n, 2_000n]);
    await indexed.index.pending.change([], [a.txId]);
    expect(await hashes()).toEqual([b.txId]);
  });

  it('becomes equal to the list of a group, but for those younger than 5 s and those of other groups', async () => {
    const now = 100_000n;
    const [listed, old, young, fresh] = [
      poolOf(1, 1n),
      poolOf(2, now - 5_000n),
      poolOf(3, now - 4_999n),
      poolOf(4, now),
    ];
    const other = { ...poolOf(5, 2n), chain: { from: 2, to: 0 } };
    await indexed.index.pending.change([listed, old, young, other], []);
    await indexed.index.pending.equal(0, [listed, fresh], now);
    expect(await hashes()).toEqual([listed.txId, other.txId, young.txId, fresh.txId]);
    await indexed.index.pending.equal(2, [], now);
    expect(await hashes()).toEqual([listed.txId, young.txId, fresh.txId]);
  });

  it('a transaction that is applied leaves, and does not come back', async () => {
    const block = Array.from({ length: 30 }, () => indexed.tree.grow(indexed.tree.blocks[1]!)).find(
      (one) => one.block.transactions.length > 1,
    )!;
    const { unsigned } = block.block.transactions[0]!;
    const mined = {
      txId: transactionId(unsigned),
      chain,
      template: { unsigned, inputSignatures: [], scriptSignatures: [] },
      seenAt: 1n,
    };
    const waiting = poolOf(1, 2n);
    await indexed.index.pending.change([mined, waiting], []);
    await indexed.index.apply([block]);
    expect(await hashes()).toEqual([waiting.txId]);
    await indexed.index.pending.change([mined], []);
    await indexed.index.pending.equal(0, [mined, waiting], 50_000n);
    expect(await hashes()).toEqual([waiting.txId]);
  });
});

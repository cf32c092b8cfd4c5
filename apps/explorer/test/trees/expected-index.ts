import { addressOf, p2pkhOf } from '@shardnode/protocol/address';
import { launchTimestamp, workOf } from '@shardnode/protocol/block';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type Hash, outputHint } from '@shardnode/protocol/primitives';
import { statelessScriptHash } from '@shardnode/protocol/script';
import {
  outputKey,
  outputsOf,
  transactionId,
  type UnlockScript,
  unlockScriptCodec,
} from '@shardnode/protocol/transaction';
import { type FeedBlock } from '../../src/index.js';
import { groups } from './random-tree.js';
import { row, type Snapshot } from './snapshot.js';

interface Out {
  readonly txId: bigint;
  readonly order: number;
  readonly address: string;
  readonly amount: bigint;
  readonly tokens: ReadonlyMap<Hash, bigint>;
  readonly columns: string;
}

interface In {
  readonly txId: bigint;
  readonly order: number;
  readonly key: Hash;
  readonly isAsset: boolean;
  readonly signer: string | undefined;
  readonly columns: string;
}

const sum = (values: Iterable<bigint>): bigint => [...values].reduce((total, value) => total + value, 0n);

const groupedBy = <T, Key>(list: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> => {
  const found = new Map<Key, T[]>();
  for (const item of list) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item]);
  return found;
};

const signerAddress = (script: UnlockScript): string | undefined => {
  if (script.kind === 'p2pkh') return addressOf(p2pkhOf(script.publicKey));
  if (script.kind === 'p2sh') return addressOf({ kind: 'p2sh', scriptHash: statelessScriptHash(script.script) });
  return undefined;
};

/** The definitions of protocol 08 §3.2 and §3.5, written once more, plainly. */
const idOfBlock = ({ block: { header } }: FeedBlock): bigint =>
  header.timestamp * 1024n + 1023n - BigInt(header.chainIndex.from * groups + header.chainIndex.to);
const idOfTx = (block: FeedBlock, order: number): bigint => idOfBlock(block) * 2048n + 2047n - BigInt(order);
const rateOf = (block: FeedBlock): bigint => {
  const rate = (workOf(block.block.header.target) * 1000n * BigInt(groups ** 4)) / 64_000n;
  return rate > 1n ? rate : 1n;
};

const outsOf = (block: FeedBlock): [Hash, Out][] =>
  block.block.transactions.flatMap((transaction, place) => {
    const hash = transactionId(transaction.unsigned);
    const fixed = transaction.unsigned.fixedOutputs.length;
    return outputsOf(transaction).map((output, order): [Hash, Out] => {
      const isContract = output.kind === 'contract';
      const script = isContract ? { kind: 'p2c' as const, contractId: output.contractId } : output.lockupScript;
      const tokens = new Map<Hash, bigint>();
      for (const { id, amount } of output.tokens) tokens.set(id, (tokens.get(id) ?? 0n) + amount);
      const held = [...tokens].map(([id, amount]) => `${id}:${amount}`).join(',');
      const lock = isContract || output.lockTime === 0n ? null : output.lockTime;
      const message = isContract ? null : `x${bytesToHex(output.additionalData)}`;
      const columns = row(outputHint(script), isContract, order < fixed, lock, message, held || null);
      return [
        outputKey(hash, order),
        { txId: idOfTx(block, place), order, address: addressOf(script), amount: output.amount, tokens, columns },
      ];
    });
  });

const insOf = (block: FeedBlock): In[] =>
  block.block.transactions.flatMap((transaction, place) => {
    const txId = idOfTx(block, place);
    let explicit: UnlockScript | undefined;
    const assets = transaction.unsigned.inputs.map(({ outputReference: { key, hint }, unlockScript }, order): In => {
      if (unlockScript.kind !== 'sameAsPrevious') explicit = unlockScript;
      const columns = row(hint, false, `x${bytesToHex(encode(unlockScriptCodec, unlockScript))}`);
      return { txId, order, key, isAsset: true, signer: signerAddress(explicit!), columns };
    });
    const contracts = transaction.contractInputs.map(({ key, hint }, i): In => ({
      txId,
      order: assets.length + i,
      key,
      isAsset: false,
      signer: undefined,
      columns: row(hint, true, null),
    }));
    return [...assets, ...contracts];
  });

/** Creations and ends of contracts, in the order of each chain. */
const contractRows = (applied: readonly FeedBlock[]): string[] => {
  const lives: { text: string; contract: string; end: string | undefined }[] = [];
  for (const block of applied) {
    block.events.forEach(({ txId, eventIndex, fields, contractId }, order) => {
      if (!contractId.startsWith('00'.repeat(30))) return;
      const place = block.block.transactions.findIndex(({ unsigned }) => transactionId(unsigned) === txId);
      const [first, parent, guess] = fields.map((field) =>
        field.type === 'Address'
          ? addressOf(field.value)
          : field.type === 'ByteVec'
            ? bytesToHex(field.value) || null
            : null,
      );
      if (eventIndex === -1) {
        const text = row(first, idOfTx(block, place), order, parent, guess);
        lives.push({ text, contract: first!, end: undefined });
      } else lives.findLast(({ contract, end }) => contract === first && !end)!.end = row(idOfTx(block, place), order);
    });
  }
  return lives.map(({ text, end }) => row(text, end));
};

const hourRows = (applied: readonly FeedBlock[]): Record<'chain_hours' | 'hashrate_hours', string[]> => {
  const hour = 3_600_000;
  const timestamp = ({ block }: FeedBlock): number => Number(block.header.timestamp);
  const chainHours = groupedBy(applied, (block) => {
    const { from, to } = block.block.header.chainIndex;
    return row(Math.floor(timestamp(block) / hour) * hour, from, to);
  });
  const launched = applied.filter(({ block }) => block.header.timestamp >= launchTimestamp);
  const rates = groupedBy(launched, (block) => Math.ceil(timestamp(block) / hour) * hour);
  return {
    chain_hours: [...chainHours].map(([key, blocks]) =>
      row(
        key,
        blocks.length,
        blocks.reduce((total, { block }) => total + block.transactions.length, 0),
      ),
    ),
    hashrate_hours: [...rates].map(([key, blocks]) => row(key, blocks.length, sum(blocks.map(rateOf)))),
  };
};

/**
 * What the index must hold of these applied blocks, in the order of each chain (protocol 08 §4.1): computed from the
 * blocks alone.
 * @param spenderOf the `tx_id` that the index has as the spender of an output; it may be any of several
 * @param signersSeen addresses whose key an applied block has ever shown: keys are never unset
 */
export const expectedIndex = (
  applied: readonly FeedBlock[],
  spenderOf: (output: string) => bigint | undefined,
  signersSeen: ReadonlyMap<string, string>,
): Snapshot => {
  const outs = new Map(applied.flatMap(outsOf));
  const ins = applied.flatMap(insOf);
  const spenders = groupedBy(
    ins.filter(({ key }) => outs.has(key)),
    ({ key }) => key,
  );
  const chosen = new Map<Hash, bigint | undefined>();
  for (const [key, { txId, order }] of outs) {
    const candidates = (spenders.get(key) ?? []).map((input) => input.txId);
    const stored = spenderOf(row(txId, order));
    // One of the candidates; if the index has none of them, the first one shows the difference.
    chosen.set(key, stored !== undefined && candidates.includes(stored) ? stored : candidates[0]);
  }
  const touched = ins.map((input) => ({ input, out: outs.get(input.key) }));
  const places = [
    ...[...outs.values()].map(({ txId, address, tokens }) => ({ txId, address, tokens })),
    ...touched.map(({ input: { txId, signer }, out }) => ({
      txId,
      address: out?.address ?? signer,
      tokens: out?.tokens ?? new Map<Hash, bigint>(),
    })),
  ].filter((place): place is typeof place & { address: string } => place.address !== undefined);
  const addressTxs = [...new Set(places.map(({ address, txId }) => row(address, txId)))];
  const tokenTxs = [...new Set(places.flatMap(({ tokens, txId }) => [...tokens.keys()].map((id) => row(id, txId))))];
  const addressTokenTxs = [
    ...new Set(places.flatMap(({ address, tokens, txId }) => [...tokens.keys()].map((id) => row(address, id, txId)))),
  ];
  const first = (text: string, words = 1): string => text.split(' ').slice(0, words).join(' ');
  const unspent = [...outs].filter(([key]) => chosen.get(key) === undefined).map(([, out]) => out);
  const unspentOf = groupedBy(unspent, ({ address }) => address);
  const tokenUnspent = groupedBy(
    unspent.flatMap(({ address, tokens }) => [...tokens].map(([id, amount]) => ({ address, id, amount }))),
    ({ address, id }) => row(address, id),
  );
  const addressTokens = [...groupedBy(addressTokenTxs, (text) => first(text, 2))].map(([pair, txs]) => ({
    pair,
    balance: sum((tokenUnspent.get(pair) ?? []).map(({ amount }) => amount)),
    txs: txs.length,
  }));
  const senders = (txId: bigint): string | null => {
    const found = new Set(
      touched
        .filter(({ input }) => input.txId === txId && input.isAsset)
        .map(({ input, out }) => out?.address ?? input.signer),
    );
    return found.size === 1 ? ([...found][0] ?? null) : null;
  };
  const snapshot: Record<string, string[]> = {
    blocks: applied.map((block) => {
      const { hash, chainIndex, timestamp, blockDeps } = block.block.header;
      const parent = block.height === 0 ? null : blockDeps[groups - 1 + chainIndex.to];
      return row(
        hash,
        idOfBlock(block),
        chainIndex.from,
        chainIndex.to,
        block.height,
        timestamp,
        block.block.transactions.length,
        parent,
        rateOf(block),
      );
    }),
    transactions: applied.flatMap((block) =>
      block.block.transactions.map((transaction, order) => {
        const isCoinbase = block.height > 0 && order === block.block.transactions.length - 1;
        const signatures = transaction.inputSignatures.map(bytesToHex).join(',') || null;
        return row(
          idOfTx(block, order),
          transactionId(transaction.unsigned),
          isCoinbase,
          transaction.scriptExecutionOk,
          transaction.unsigned.gasAmount,
          signatures,
        );
      }),
    ),
    outputs: [...outs].map(([key, { txId, order, address, amount, columns }]) =>
      row(txId, order, key, chosen.get(key), address, amount, columns),
    ),
    inputs: touched.map(({ input: { txId, order, key, signer, columns }, out }) => {
      const conflict = out !== undefined && chosen.get(key) !== txId;
      return row(txId, order, key, conflict, out?.txId, out?.order, out ? null : signer, columns);
    }),
    address_txs: addressTxs,
    token_txs: tokenTxs,
    address_token_txs: addressTokenTxs,
    addresses: [...groupedBy(addressTxs, (text) => first(text))].map(([address, txs]) => {
      const own = unspentOf.get(address) ?? [];
      return row(address, txs.length, own.length, sum(own.map(({ amount }) => amount)), signersSeen.get(address));
    }),
    address_tokens: addressTokens.map(({ pair, balance, txs }) => row(pair, balance, txs)),
    tokens: [...groupedBy(tokenTxs, (text) => first(text))].map(([id, txs]) => {
      const held = addressTokens.filter(({ pair }) => pair.endsWith(id));
      const last = txs.map((text) => BigInt(text.split(' ')[1]!)).reduce((a, b) => (a > b ? a : b));
      const holders = held.filter(({ balance }) => balance > 0n).length;
      return row(id, last, txs.length, holders, sum(held.map(({ balance }) => balance)));
    }),
    events: applied.flatMap((block) =>
      block.events.map(({ txId, contractId, eventIndex, fields }, order) => {
        const place = block.block.transactions.findIndex(({ unsigned }) => transactionId(unsigned) === txId);
        const id = idOfTx(block, place);
        return row(
          idOfBlock(block),
          order,
          id,
          addressOf({ kind: 'p2c', contractId }),
          senders(id),
          eventIndex,
          fields.length,
        );
      }),
    ),
    contracts: contractRows(applied),
    ...hourRows(applied),
    chain_heads: [
      ...groupedBy(applied, ({ block }) => row(block.header.chainIndex.from, block.header.chainIndex.to)),
    ].map(([chain, blocks]) => {
      const head = blocks.at(-1)!;
      const total = blocks.reduce((count, { block }) => count + block.transactions.length, 0);
      return row(chain, head.block.header.hash, head.height, head.block.header.timestamp, total);
    }),
  };
  for (const rows of Object.values(snapshot)) rows.sort();
  return snapshot;
};

/** Public keys of P2PKH signers in a block, by address. */
export const signersIn = (block: FeedBlock): [string, string][] =>
  block.block.transactions.flatMap(({ unsigned }) =>
    unsigned.inputs.flatMap(({ unlockScript }): [string, string][] =>
      unlockScript.kind === 'p2pkh'
        ? [[addressOf(p2pkhOf(unlockScript.publicKey)), bytesToHex(unlockScript.publicKey)]]
        : [],
    ),
  );

import { ServiceError } from '@shardnode/core/errors';
import { type BuildTransferRequest, type BuiltTransaction } from '@shardnode/messages';
import {
  type BuildOutcome,
  buildTransfer,
  buildTransferFrom,
  type Destination,
  type TransferRequest,
  utxoSourceOf,
} from '@shardnode/protocol/building';
import { type Codec, decode, DecodeError, encode, hexToBytes } from '@shardnode/protocol/encoding';
import {
  assetLockupScriptCodec,
  groupOfLockupScript,
  type Hash,
  minGasPrice,
  type OutputReference,
} from '@shardnode/protocol/primitives';
import { addressOutputs, type OutputView } from '@shardnode/protocol/state';
import {
  type AssetOutput,
  chainIndexOf,
  transactionId,
  type UnsignedTransaction,
  unlockScriptCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type GroupNode } from '../group-node.js';
import { poolView } from '../mempool/pool-view.js';
import { addressOverlay, addressSet, consistently, type LeveledOutput, unspentOf } from '../view/address-outputs.js';
import { ownView } from '../view/own-view.js';
import { asUtxo, withPagedSource } from '../view/paged-source.js';

/** Decodes a hexadecimal field of a request. Throws `invalid-request` that names the field. */
export const decodeField = <Value>(codec: Codec<Value>, hex: string, field: string): Value => {
  try {
    return decode(codec, hexToBytes(hex));
  } catch (error) {
    const reason = error instanceof DecodeError ? error.message : 'not hexadecimal';
    throw new ServiceError('invalid-request', 'Undecodable', `${field}: ${reason}`, { field });
  }
};

const readDestination = (item: BuildTransferRequest['destinations'][number], index: number): Destination => ({
  lockupScript: decodeField(assetLockupScriptCodec, item.lockupScript, `destinations[${index}].lockupScript`),
  amount: BigInt(item.amount),
  tokens: item.tokens.map(({ id, amount }) => ({ id, amount: BigInt(amount) })),
  lockTime: item.lockTime === undefined ? undefined : BigInt(item.lockTime),
  message: item.message === undefined ? undefined : hexToBytes(item.message),
});

const readRequest = ({ state }: GroupNode, request: BuildTransferRequest): TransferRequest => {
  const { settings, group } = state;
  const lockupScript = decodeField(assetLockupScriptCodec, request.lockupScript, 'lockupScript');
  const owner = groupOfLockupScript(lockupScript, settings.groups);
  if (owner !== group) {
    throw new ServiceError('invalid-request', 'NotThisGroup', `the sender belongs to group ${owner}`, { group: owner });
  }
  return {
    networkId: settings.networkId,
    groups: settings.groups,
    sender: { lockupScript, unlockScript: decodeField(unlockScriptCodec, request.unlockScript, 'unlockScript') },
    destinations: request.destinations.map(readDestination),
    gasAmount: request.gasAmount,
    gasPrice: request.gasPrice === undefined ? minGasPrice : BigInt(request.gasPrice),
    gasFormula: request.gasFormula,
    destinationGroups: 'one',
  };
};

/** Selected from the sender's usable outputs at the best dependencies, pending ones included (decision 24). */
const buildBySelection = (
  node: GroupNode,
  request: TransferRequest,
  now: bigint,
): Promise<BuildOutcome<UnsignedTransaction>> =>
  consistently(node, async (shown) => {
    const { lockupScript } = request.sender;
    const isUsable = ({ output }: LeveledOutput): boolean => output.lockTime <= now;
    const set = await addressSet(node, lockupScript);
    const all = async (): Promise<readonly LeveledOutput[]> =>
      (await unspentOf(node, lockupScript, { pool: true })).filter(isUsable);
    if (set.kind === 'small') return buildTransfer(request, utxoSourceOf((await all()).map(asUtxo)));
    const { isSpent, created } = addressOverlay(node, shown, lockupScript, { pool: true });
    const parts = {
      store: node.store,
      lockupScript,
      usableAt: now,
      isSpent,
      created: created.filter(isUsable).map(asUtxo),
      all: async () => (await all()).map(asUtxo),
    };
    return withPagedSource(parts, (source) => buildTransfer(request, source));
  });

const assetOnly =
  (view: OutputView) =>
  (reference: OutputReference): AssetOutput | undefined => {
    const output = view.output(reference);
    return output?.kind === 'asset' ? output : undefined;
  };

/** The view on which the client wants to build: at the dependencies of a block of the group (protocol 02 §3.4). */
const targetView = async ({ state }: GroupNode, target: Hash) => {
  const { memory, group } = state;
  if (!memory.published.has(target)) {
    throw new ServiceError('not-found', 'BlockNotFound', `Block ${target} not found`, { field: 'targetBlockHash' });
  }
  const { header, from, height } = memory.published.node(target);
  if (from !== group || height === 0) {
    throw new ServiceError('refused', 'InvalidTargetBlock', 'the target block is not of the group of the sender');
  }
  return memory.loaded(() => ownView(memory, header.blockDeps));
};

const buildOnTarget = async (
  node: GroupNode,
  request: TransferRequest,
  target: Hash,
  now: bigint,
): Promise<BuildOutcome<UnsignedTransaction>> => {
  const { memory, pool } = node.state;
  const { state, view } = await targetView(node, target);
  const { lockupScript } = request.sender;
  const found = await addressOutputs(node.store, state.outputRoot, lockupScript, view, memory.nodes);
  const blocks = found.map((stored): LeveledOutput => ({ ...stored, level: 0 }));
  const pooled = pool.outputsTo(lockupScript).map((stored): LeveledOutput => ({ ...stored, level: 2 }));
  const usable = [...blocks, ...pooled].filter(
    ({ reference, output }) => output.lockTime <= now && pool.spenderOf(reference) === undefined,
  );
  return buildTransfer(request, utxoSourceOf(usable.map(asUtxo)));
};

const buildFromChosen = async (
  node: GroupNode,
  request: TransferRequest,
  { utxos = [], targetBlockHash }: BuildTransferRequest,
  now: bigint,
): Promise<BuildOutcome<UnsignedTransaction>> => {
  const { memory, pool, shown } = node.state;
  const { view } = targetBlockHash === undefined ? shown : await targetView(node, targetBlockHash);
  return memory.loaded(() => buildTransferFrom(request, utxos, assetOnly(poolView(pool, view)), now));
};

const answer = (unsigned: UnsignedTransaction, groups: number): BuiltTransaction => {
  const chain = chainIndexOf(unsigned, groups);
  if (!chain) throw new Error('a built transaction has no chain');
  return {
    unsignedTx: encode(unsignedTransactionCodec, unsigned),
    txId: transactionId(unsigned),
    gasAmount: unsigned.gasAmount,
    gasPrice: unsigned.gasPrice.toString(),
    fromGroup: chain.from,
    toGroup: chain.to,
  };
};

/** Builds a transfer (protocol 02 §4). Throws `refused` with the text that tools match, `unavailable` when not synced. */
export const buildTransferFor = async (node: GroupNode, message: BuildTransferRequest): Promise<BuiltTransaction> => {
  node.sync.requireReady();
  const request = readRequest(node, message);
  const now = BigInt(node.clock.now());
  const outcome = await (message.utxos !== undefined
    ? buildFromChosen(node, request, message, now)
    : message.targetBlockHash !== undefined
      ? buildOnTarget(node, request, message.targetBlockHash, now)
      : buildBySelection(node, request, now));
  if (!outcome.ok) {
    // Outputs that were shown may be gone with the memory, meanwhile: that is no refusal.
    node.sync.requireReady();
    throw new ServiceError('refused', outcome.refusal.code, outcome.refusal.detail ?? outcome.refusal.code);
  }
  return answer(outcome.value, node.state.settings.groups);
};

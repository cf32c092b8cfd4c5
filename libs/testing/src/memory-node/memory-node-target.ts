import { parseAssetAddress } from '@shardnode/protocol/address';
import { expectedTarget } from '@shardnode/protocol/dag';
import { callContract } from '@shardnode/protocol/dry-run';
import { decode, encode } from '@shardnode/protocol/encoding';
import { type ChainIndex, groupOfLockupScript, type Hash, referenceId, zeroHash } from '@shardnode/protocol/primitives';
import { valsCodec } from '@shardnode/protocol/script';
import { addressOutputs, outputOfStateValue, type TrieNodeStore, trieScan } from '@shardnode/protocol/state';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { admissionChainIndex, checkAdmission, nextBlockEnvironment } from '@shardnode/protocol/policy';
import { scriptExecutor, withContracts } from '@shardnode/protocol/validation';
import { verifySignature } from '@shardnode/protocol/crypto';
import { type ChainState, type ReplayContract, type ReplayTarget } from '../replay/replay-target.js';
import { type MemoryNode } from './memory-node.js';

/** All nodes are in memory, so the store is empty. */
const emptyStore: TrieNodeStore = { loadNodes: async () => new Map() };

const chainState = ({ dag }: MemoryNode, chain: ChainIndex): ChainState => {
  const maxHeight = dag.maxHeight(chain);
  const heights = Array.from({ length: maxHeight + 1 }, (_, height) => ({
    height,
    hashes: dag.hashesAt(chain, height),
  }));
  return {
    maxHeight,
    currentHeight: dag.currentHeight(chain),
    tips: dag.tips(chain),
    hashesWithSeveral: heights.filter(({ hashes }) => hashes.length > 1),
  };
};

const stateRoot = (node: MemoryNode, hash: Hash): Hash => {
  const state = node.worldState(hash);
  if (!state) throw new Error(`no world state of block ${hash}`);
  return state.outputRoot;
};

const contractOf = (node: MemoryNode, contractId: Hash, group: number): ReplayContract | undefined => {
  const contracts = node.contracts(group);
  const record = contracts.record(contractId);
  if (!record) return undefined;
  const { codeHash, initialStateHash, immutableFields } = contracts.immutableState(record.immutableStateHash);
  const { amount, tokens } = contracts.contractOutput(record.outputReference)!;
  return {
    code: contracts.code(codeHash).bytes,
    codeHash,
    initialStateHash,
    immutableFields: encode(valsCodec, immutableFields),
    mutableFields: encode(valsCodec, record.mutableFields),
    outputReference: referenceId(record.outputReference),
    amount,
    tokens,
    eventRecords: node.eventRecordsOf(contractId),
  };
};

/** The node in memory behind the port of the comparison. */
export const memoryNodeTarget = (node: MemoryNode): ReplayTarget => ({
  name: 'node in memory',
  importBlock: async (raw) => node.importBlock(raw),
  validateBlock: async (raw) => node.validateBlock(raw),
  blockState: async (hash) =>
    node.dag.has(hash)
      ? { height: node.dag.height(hash), weight: node.dag.weight(hash), isCanonical: node.dag.isCanonical(hash) }
      : undefined,
  worldState: async (hash) => node.worldState(hash),
  bestDependencies: async (group) => node.bestDependencies(group),
  chainState: async (chain) => chainState(node, chain),
  unspentOutputs: async (address) => {
    const lockupScript = parseAssetAddress(address);
    if (!lockupScript) throw new Error(`not an asset address: ${address}`);
    const group = groupOfLockupScript(lockupScript, node.settings.groups);
    const root = stateRoot(node, node.bestDependencies(group)[node.settings.groups - 1 + group]!);
    return addressOutputs(emptyStore, root, lockupScript, node.view(group), node.nodes);
  },
  stateCounts: async (hash) => {
    const all = await trieScan(emptyStore, stateRoot(node, hash), new Uint8Array(0), Infinity, undefined, node.nodes);
    const assetOutputs = all.filter(({ value }) => outputOfStateValue(value).kind === 'asset').length;
    return { assetOutputs, contractOutputs: all.length - assetOutputs };
  },
  gasUsed: async (hash) => node.gasUsed(hash),
  events: async (hash) =>
    node.eventsOf(hash).map(({ contractId, transactionId, eventIndex, fields, record, offset }) => ({
      contractId,
      txId: transactionId,
      eventIndex,
      fields: encode(valsCodec, fields),
      place: `${record}.${offset}`,
    })),
  contract: async (contractId, group) => contractOf(node, contractId, group),
  callContract: async (contractId, group, methodIndex) => {
    const { settings, dag } = node;
    const target = expectedTarget(dag, settings, { from: group, to: group }, node.bestDependencies(group));
    const outcome = callContract({
      block: nextBlockEnvironment(settings, group, BigInt(Date.now()), target),
      layer: node.contracts(group),
      call: { transactionId: zeroHash, contractId, methodIndex, args: [], callerId: undefined, inputAssets: [] },
      existingContracts: [],
    });
    return outcome.kind === 'succeeded' ? encode(valsCodec, outcome.returns) : undefined;
  },
  checkAdmission: async (bytes) => {
    const { settings } = node;
    const template = decode(transactionTemplateCodec, bytes);
    const chain = admissionChainIndex(template, settings.groups);
    if ('code' in chain) return chain;
    const now = BigInt(Date.now());
    const { from } = chain;
    const contracts = node.contracts(from);
    const target = expectedTarget(node.dag, settings, chain, node.bestDependencies(from));
    const executor = scriptExecutor(nextBlockEnvironment(settings, from, now, target), contracts);
    const view = withContracts(node.view(from), contracts);
    return checkAdmission(template, { settings, view, now, verifySignature, executor });
  },
  close: async () => undefined,
});

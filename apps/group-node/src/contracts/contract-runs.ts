import { ServiceError } from '@shardnode/core/errors';
import {
  type CallReply,
  type ContractCall,
  type RunReply,
  type TestContractRequest,
  serviceError,
} from '@shardnode/messages';
import { chainIndexOfHash } from '@shardnode/protocol/block';
import { maxTarget } from '@shardnode/protocol/network';
import { type ChainIndex, type Hash, targetValue } from '@shardnode/protocol/primitives';
import { type WorldState } from '@shardnode/protocol/state';
import { type NodeReads } from '../view/reads.js';
import { failedCall } from './make-run.js';
import { randomHash } from './random-hashes.js';
import { type RunConditions } from './run-job.js';
import { type Runs } from './runs.js';

type Node = Pick<NodeReads, 'state' | 'clock'>;

const environmentOf = ({ state: { settings, group }, clock }: Node, blockHash: Hash, timestamp?: bigint) => ({
  networkId: settings.networkId,
  timestamp: timestamp ?? BigInt(clock.now()),
  target: targetValue(maxTarget(settings)),
  blockHash,
  group,
});

const rootsOf = ({ outputRoot, contractRoot }: WorldState): RunConditions['roots'] => ({ outputRoot, contractRoot });

/** Runs a test of a contract. It sees the contracts of the newest state besides its own (protocol 05 §14.2). */
export const runTest = async (node: Node, runs: Runs, request: TestContractRequest): Promise<RunReply> => {
  const { blockHash = randomHash(), blockTimestamp, txId = randomHash() } = request;
  const result = await runs.execute({
    kind: 'test',
    request,
    roots: rootsOf(node.state.shown.state),
    block: environmentOf(node, blockHash, blockTimestamp === undefined ? undefined : BigInt(blockTimestamp)),
    transactionId: txId,
  });
  if (result.kind !== 'test') throw new Error('a test was answered like a call');
  return result.reply;
};

const invalidBlock = (hash: Hash, { from, to }: ChainIndex, group: number): ServiceError =>
  serviceError(
    'NoState',
    `Block ${hash} is of the chain from group ${from} to group ${to}: expected one of group ${group} to itself`,
    { blockHash: hash },
  );
const unknownBlock = (hash: Hash): ServiceError =>
  serviceError('BlockNotFound', `There is no block ${hash}`, { blockHash: hash });

/** The state after a block of the intra-group chain, or the error that explains its absence. */
const stateAfter = async ({ state }: Node, hash: Hash): Promise<WorldState | ServiceError> => {
  const { memory, group, settings } = state;
  const chain = chainIndexOfHash(hash, settings.groups);
  if (chain.from !== group || chain.to !== group) return invalidBlock(hash, chain, group);
  if (!(await memory.find(hash))) return unknownBlock(hash);
  return (await memory.loaded(() => memory.states.need(hash))).state;
};

/** Runs a call on the state of its block; default: the newest state on which the node builds (protocol 05 §14.3). */
export const runCall = async (node: Node, runs: Runs, request: ContractCall): Promise<CallReply> => {
  const { shown } = node.state;
  const blockHash = request.worldStateBlockHash ?? shown.base;
  const state = request.worldStateBlockHash === undefined ? shown.state : await stateAfter(node, blockHash);
  if (state instanceof ServiceError) return failedCall(state);
  const result = await node.state.memory.horizon.reading(blockHash, () =>
    runs.execute({
      kind: 'call',
      request,
      roots: rootsOf(state),
      block: environmentOf(node, blockHash),
      transactionId: request.txId ?? randomHash(),
    }),
  );
  if (result.kind !== 'call') throw new Error('a call was answered like a test');
  return result.reply;
};

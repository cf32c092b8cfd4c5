import { type NetworkSettings } from '@shardnode/protocol/network';
import { nextBlockEnvironment } from '@shardnode/protocol/policy';
import { scriptExecutor, type ScriptExecutor } from '@shardnode/protocol/validation';
import { MemoryContractState } from './memory-contract-state.js';

/** The easiest target of all networks, compact. */
const easiestTarget = 0x20ffffff;

/** The machine in a block without hash, on a state without contracts. `timestamp` in milliseconds since 1970. */
export const executorWithoutContracts = (
  settings: Pick<NetworkSettings, 'networkId'>,
  group = 0,
  timestamp = 1_700_000_000_000n,
): ScriptExecutor =>
  scriptExecutor(nextBlockEnvironment(settings, group, timestamp, easiestTarget), new MemoryContractState().layer());

import { parseAddress } from '@shardnode/protocol/address';
import { chainIndexOfHash } from '@shardnode/protocol/block';
import {
  groupOfContract,
  groupOfLockupScript,
  type ChainIndex,
  type LockupScript,
} from '@shardnode/protocol/primitives';

/**
 * Finds the responsible group-node from the requested id or address alone (architecture, section 3). A transaction id
 * does not determine a group: request it from all (`firstGroup`).
 */

/** Undefined for a contract whose id names no group of the network. */
export const groupOfScript = (script: LockupScript, groups: number): number | undefined =>
  script.kind === 'p2c' ? groupOfContract(script.contractId, groups) : groupOfLockupScript(script, groups);

/** Undefined for an invalid address, and for a contract whose id names no group of the network. */
export const groupOfAddress = (address: string, groups: number): number | undefined => {
  const script = parseAddress(address);
  return script && groupOfScript(script, groups);
};

/** The chain of a block or header. Both its groups have the header; `from` has the body and serves requests for it. */
export const chainOfBlockHash = (hash: string, groups: number): ChainIndex => chainIndexOfHash(hash, groups);

/** Undefined if the last byte of the id (64 hex digits) is no group of the network. */
export const groupOfContractId = (contractId: string, groups: number): number | undefined =>
  groupOfContract(contractId, groups);

import { parseAddress } from '@shardnode/protocol/address';
import { chainIndexOfHash } from '@shardnode/protocol/block';
import {
  groupOfContract,
  groupOfLockupScript,
  type ChainIndex,
  type LockupScript,
} from '@shardnode/protocol/primitives';

/**
 * Which group-node to ask, told by what is asked for alone (architecture, section 3). A bare transaction id tells nothing:
 * ask all (`firstGroup`).
 */

/** Undefined for a contract whose id ends in no group. */
export const groupOfScript = (script: LockupScript, groups: number): number | undefined =>
  script.kind === 'p2c' ? groupOfContract(script.contractId, groups) : groupOfLockupScript(script, groups);

/** Undefined for a text that is no address, and for a contract whose id ends in no group. */
export const groupOfAddress = (address: string, groups: number): number | undefined => {
  const script = parseAddress(address);
  return script && groupOfScript(script, groups);
};

/** The chain of a block or header. Both its groups have the header; `from` has the body and answers for it. */
export const chainOfBlockHash = (hash: string, groups: number): ChainIndex => chainIndexOfHash(hash, groups);

/** Undefined when no group has the number that the id (64 hex digits) ends in. */
export const groupOfContractId = (contractId: string, groups: number): number | undefined =>
  groupOfContract(contractId, groups);

import { type ServiceError } from '@shardnode/core/errors';
import { errorOf } from '@shardnode/http';

export const blockNotFound = (hash: string): ServiceError =>
  errorOf('BlockNotFound', `There is no block with the hash ${hash} here.`, { resource: `Block ${hash}`, hash });

/** A stored block is the uncle of no other: uncles belong to a later upgrade. */
export const noUncle = (hash: string, isCanonical: boolean): ServiceError => {
  if (isCanonical) {
    return errorOf('NoGhostUncle', `The block ${hash} is of the main chain: it is no uncle of another block.`, {
      hash,
    });
  }
  const resource = `The mainchain block that references the ghost uncle block ${hash}`;
  return errorOf('BlockNotFound', `No block of the main chain has the block ${hash} as its uncle.`, { resource });
};

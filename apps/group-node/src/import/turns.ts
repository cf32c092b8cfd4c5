import { nextTurn } from '@shardnode/core/lifecycle';
import { type Block } from '@shardnode/protocol/block';

/** Transactions that a step of the import handles in a few milliseconds. */
const smallBlock = 64;

/** Between two steps of the import of a large block others get a turn of the event loop (architecture, decision 5). */
export const turnAfterStep = (block: Block): Promise<void> | undefined =>
  block.transactions.length > smallBlock ? nextTurn() : undefined;

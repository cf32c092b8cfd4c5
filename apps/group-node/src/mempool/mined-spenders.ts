import { SpentInputsMissing } from '@shardnode/protocol/dag';
import { type Hash, referenceId } from '@shardnode/protocol/primitives';
import { transactionId, type TransactionTemplate } from '@shardnode/protocol/transaction';
import { type GroupState } from '../view/group-state.js';
import { type GroupMemory } from '../memory/group-memory.js';

/** Limits of the one read from the store: blocks of each own chain, blocks per query, and references in all. */
const limits = { blocks: 500, page: 20, references: 50_000 };

/** Finds the mined transaction that spends an output: for explanations (00-decisions, 23). */
export class MinedSpenders {
  private readonly filled = new WeakMap<GroupMemory, Promise<void>>();

  constructor(private readonly state: GroupState) {}

  /**
   * The recently mined transaction that spends one of the inputs. References missing in memory, as after a start, are
   * read from the store once, outside the writer's queue, so that tasks of the writer do not wait for the read.
   */
  async of(template: TransactionTemplate): Promise<Hash | undefined> {
    const known = await this.inMemory(template);
    if (known !== undefined) return known;
    const { memory } = this.state;
    const filling = this.filled.get(memory) ?? this.fill(memory);
    this.filled.set(memory, filling);
    try {
      await filling;
    } catch (error) {
      // The next call retries.
      this.filled.delete(memory);
      throw error;
    }
    return this.inMemory(template);
  }

  private async inMemory(template: TransactionTemplate): Promise<Hash | undefined> {
    const { memory } = this.state;
    for (const { outputReference } of template.unsigned.inputs) {
      const id = referenceId(outputReference);
      for (const hash of memory.spent.spendersOf(id)) {
        if (!(await memory.loaded(() => memory.dag.has(hash) && memory.dag.isCanonical(hash)))) continue;
        const [block] = await memory.loaded(() => memory.blocks.need([hash]));
        const spender = block!.transactions.find(({ unsigned }) =>
          unsigned.inputs.some((input) => referenceId(input.outputReference) === id),
        );
        return transactionId(spender!.unsigned);
      }
    }
    return undefined;
  }

  private async fill(memory: GroupMemory): Promise<void> {
    const { settings, shown } = this.state;
    let references = 0;
    for (let to = 0; to < settings.groups; to++) {
      const tip = shown.best[settings.groups - 1 + to]!;
      const hashes = await memory.loaded(() => blocksFrom(memory, tip));
      for (let at = 0; at < hashes.length && references < limits.references; at += limits.page) {
        references += await memory.loaded(() => countSpent(memory, hashes.slice(at, at + limits.page)));
      }
    }
  }
}

/** The block and those before it on its chain, newest first. Throws BlocksMissing. */
const blocksFrom = (memory: GroupMemory, tip: Hash): readonly Hash[] => {
  const hashes: Hash[] = [];
  for (let node = memory.dag.node(tip); hashes.length < limits.blocks;) {
    hashes.push(node.hash);
    if (!node.parent) break;
    node = node.parent;
  }
  return hashes;
};

/** @throws SpentInputsMissing */
const countSpent = ({ spent }: GroupMemory, hashes: readonly Hash[]): number => {
  const missing = hashes.filter((hash) => spent.spentBy(hash) === undefined);
  if (missing.length > 0) throw new SpentInputsMissing(missing);
  return hashes.reduce((sum, hash) => sum + spent.spentBy(hash)!.size, 0);
};

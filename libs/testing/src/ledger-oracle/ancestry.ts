interface Member<Block> {
  readonly height: number;
  readonly parent: Block | undefined;
}

/**
 * Checks ancestry in few steps for any distance: each block has its parent and one ancestor further back, chosen so
 * that a walk of n heights takes some 2 log n steps. Over a chain of tens of thousands of blocks with lookups of
 * outputs of any age, steps from parent to parent were nearly all of the oracle's work.
 */
export class Ancestry<Block extends object> {
  private readonly far = new Map<Block, Block>();

  constructor(private readonly look: (block: Block) => Member<Block>) {}

  /** Call it for each block after its parent. */
  add(block: Block): void {
    const { parent } = this.look(block);
    if (!parent) return;
    const far = this.far.get(parent) ?? parent;
    const further = this.far.get(far) ?? far;
    const height = (of: Block): number => this.look(of).height;
    this.far.set(block, height(parent) - height(far) === height(far) - height(further) ? further : parent);
  }

  /** Whether `older` is the block or one of its ancestors. */
  isAncestor(older: Block, newer: Block): boolean {
    const { height: end } = this.look(older);
    let block: Block | undefined = newer;
    while (block) {
      const { height, parent }: Member<Block> = this.look(block);
      if (height <= end) break;
      const far = this.far.get(block);
      block = far && this.look(far).height >= end ? far : parent;
    }
    return block === older;
  }
}

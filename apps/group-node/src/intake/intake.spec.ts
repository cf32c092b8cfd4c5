import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type Logger, silentLogger } from '@shardnode/core/observability';
import { type Block } from '@shardnode/protocol/block';
import { UnknownBlock } from '@shardnode/protocol/dag';
import { developmentNetwork } from '@shardnode/protocol/network';
import { refuse } from '@shardnode/protocol/validation';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { storeUnavailable } from '../store/index.js';
import { type GroupState } from '../view/group-state.js';
import { type ImportItem, type ImportOutcome } from '../import/import-item.js';
import { Intake } from './index.js';

const chain = { from: 0, to: 0 };
const source = { kind: 'submitted' } as const;

const blocksOf = (count: number): Block[] => {
  const node = new MemoryNode(developmentNetwork);
  return Array.from({ length: count }, () => {
    const block = nextBlock(node, chain);
    node.importBlock(block.raw);
    return block;
  });
};

/** An intake of group 0 whose imports wait until they are let go. */
const heldIntake = (logger: Logger = silentLogger) => {
  const node = new MemoryNode(developmentNetwork);
  const clock = createStoppedClock();
  const asked: {
    readonly item: ImportItem;
    readonly end: (fault?: Error) => void;
    readonly refuse: () => void;
  }[] = [];
  const state = { settings: developmentNetwork, group: 0, memory: { dag: node.dag } } as unknown as GroupState;
  const intake = new Intake({
    state,
    clock,
    logger,
    onRefused: () => undefined,
    import: (item) =>
      new Promise<ImportOutcome>((resolve, reject) => {
        const end = (fault?: Error): void => {
          if (fault) return reject(fault);
          node.importBlock(item.block!.raw);
          resolve({ kind: 'accepted', stored: Promise.resolve() });
        };
        asked.push({ item, end, refuse: () => resolve({ kind: 'refused', refusal: refuse('InvalidWorkTarget') }) });
      }),
  });
  return { intake, clock, asked, node };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('intake', () => {
  it('imports an item once, however often it is sent and checked while it is queued', async () => {
    const { intake, clock, asked } = heldIntake();
    const [first, second] = blocksOf(2);
    expect(await intake.accept(second!.raw, 'block', source)).toMatchObject({ kind: 'buffered', isNew: true });
    const outcomes = [first!, first!].map((block) => intake.accept(block.raw, 'block', source));
    await turn();
    expect(asked).toHaveLength(1);
    asked[0]!.end();
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['added', 'added']);
    for (let look = 0; look < 50; look++) {
      clock.advance(100);
      expect(intake.overdue(200)).toEqual([]);
    }
    expect(asked).toHaveLength(2);
    asked[1]!.end();
    await intake.imported();
    expect(intake.isImporting).toBe(false);
  });

  it('waits for present items, not for those that arrive meanwhile', async () => {
    const { intake, asked } = heldIntake();
    const [first, second, third] = blocksOf(3);
    void intake.accept(second!.raw, 'block', source);
    void intake.accept(first!.raw, 'block', source);
    await turn();
    const imported = intake.imported();
    asked[0]!.end();
    await turn();
    asked[1]!.end();
    void intake.accept(third!.raw, 'block', source);
    await imported;
    await turn();
    expect(intake.isImporting).toBe(true);
    asked[2]!.end();
  });

  it('logs once a minute that the store is unavailable, however many blocks arrive meanwhile', async () => {
    const lines: string[] = [];
    const keep = (_fields: object, text: string): void => void lines.push(text);
    const { intake, asked } = heldIntake({ warn: keep, error: keep } as unknown as Logger);
    const [block] = blocksOf(1);
    for (let attempt = 0; attempt < 3; attempt++) {
      const outcome = intake.accept(block!.raw, 'block', source);
      await turn();
      asked.at(-1)!.end(storeUnavailable(0, 'its database does not answer'));
      expect(await outcome).toMatchObject({ kind: 'undecided' });
    }
    expect(lines).toEqual(['block is undecided']);
  });

  it('warns of a block whose dependencies were lost with the memory, and calls it a fault where they were not', async () => {
    const lines: string[] = [];
    const keep =
      (level: string) =>
      ({ why }: { readonly why?: string }): void =>
        void lines.push(`${level} ${why ?? ''}`);
    const { intake, asked } = heldIntake({ warn: keep('warn'), error: keep('error') } as unknown as Logger);
    const [block] = blocksOf(1);
    for (const hasLost of [true, true, false]) {
      const outcome = intake.accept(block!.raw, 'block', source);
      await turn();
      if (hasLost) intake.reset();
      asked.at(-1)!.end(new UnknownBlock(block!.header.hash));
      expect(await outcome).toMatchObject({ kind: 'undecided' });
    }
    expect(lines).toEqual(['warn its dependencies were lost in a rebuild of memory', 'error ']);
  });

  it('retains undecided items, and pulls their dependencies when they are lost', async () => {
    const { intake, clock, asked, node } = heldIntake();
    const [first, second] = blocksOf(2);
    node.importBlock(first!.raw);
    const outcome = intake.accept(second!.raw, 'block', source);
    await turn();
    // A commit fails: the memory of this node is rebuilt and lacks the first block, too.
    Object.assign(intake['parts'].state.memory, { dag: new MemoryNode(developmentNetwork).dag });
    asked[0]!.end(new Error('the database went away'));
    expect(await outcome).toMatchObject({ kind: 'undecided' });
    clock.advance(300);
    expect(intake.overdue(200)).toEqual([]);
    await turn();
    expect(asked).toHaveLength(1);
    expect(await intake.accept(second!.raw, 'block', source)).toMatchObject({ kind: 'buffered', isNew: false });
    clock.advance(300);
    expect(intake.overdue(200)).toEqual([first!.header.hash]);
  });

  it('refuses what depends on a refused block without a judgement, until that one is accepted', async () => {
    const { intake, asked } = heldIntake();
    const [first, second, third] = blocksOf(3);
    const accept = (block: Block | undefined) => intake.accept(block!.raw, 'block', source);
    const refused = accept(first);
    expect(await accept(third)).toMatchObject({ kind: 'buffered', isNew: true });
    expect(intake.obstacleOf(third!.header.hash)).toEqual({ block: second!.header.hash, cause: 'missing' });
    expect(await accept(second)).toMatchObject({ kind: 'buffered', isNew: true });
    await turn();
    // It is being judged: no obstacle yet.
    expect(intake.obstacleOf(third!.header.hash)).toBeUndefined();
    asked[0]!.refuse();
    expect(await refused).toMatchObject({ kind: 'refused', refusal: { code: 'InvalidWorkTarget' } });
    expect(intake.buffered).toBe(0);
    for (const block of [second, third]) {
      const obstacle = { block: first!.header.hash, cause: 'InvalidWorkTarget' };
      expect(intake.obstacleOf(block!.header.hash)).toEqual(obstacle);
      expect(await accept(block)).toMatchObject({ kind: 'refused', refusal: { code: 'DependsOnRefused' } });
    }
    expect(asked).toHaveLength(1);
    // Its time has come, for example.
    const added = accept(first);
    await turn();
    asked[1]!.end();
    expect(await added).toMatchObject({ kind: 'added' });
    const child = accept(second);
    await turn();
    asked[2]!.end();
    expect(await child).toMatchObject({ kind: 'added' });
  });

  it('counts what it dropped with a refused block as new only once: pulls of it must end', async () => {
    const { intake, asked } = heldIntake();
    const [first, second] = blocksOf(2);
    expect(await intake.accept(second!.raw, 'block', source)).toMatchObject({ kind: 'buffered', isNew: true });
    for (const place of [0, 1]) {
      const refused = intake.accept(first!.raw, 'block', source);
      await turn();
      asked[place]!.refuse();
      expect(await refused).toMatchObject({ kind: 'refused' });
      expect(await intake.accept(second!.raw, 'block', source)).toMatchObject({ kind: 'refused' });
    }
  });
});

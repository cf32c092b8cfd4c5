import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient } from '@shardnode/messages';
import { decodeBlock, type Block } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { CommandFailure } from '../command.js';
import { bytesText, numberText } from '../terminal/quantities.js';
import { readBlocks } from './read-block-file.js';

/** Limit of blocks in flight. */
const atOnce = 64;
/**
 * Milliseconds: `wait` of one request for a block, `patience` with a group-node that is absent or behind, and `pause`
 * before a retry.
 */
const times = { wait: 2_000, patience: 120_000, pause: 250 };

export interface ImportOptions {
  readonly client: GroupClient;
  readonly settings: NetworkSettings;
  readonly path: string;
  /** Blocks in the file. */
  readonly total: number;
  readonly progress?: (done: number, total: number) => void;
}

export interface ImportResult {
  readonly added: number;
  /** Number of blocks that were stored before. */
  readonly known: number;
}

interface FileBlock {
  readonly block: Block;
  readonly raw: Buffer;
}

const isUnavailable = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'unavailable';
/** A refusal by a rule, or of a malformed request, for example a block that is too large. */
const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.kind === 'refused' || error.kind === 'invalid-request');
const isUnknown = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'not-found';

const placeOf = ({ block }: FileBlock): string => {
  const { hash, chainIndex } = block.header;
  return `block ${hash} of chain (${chainIndex.from}, ${chainIndex.to})`;
};

/** @throws CommandFailure for bytes that are no block */
const fileBlock = (
  raw: Buffer,
  groups: number,
  { path, number }: { readonly path: string; readonly number: number },
): FileBlock => {
  try {
    return { raw, block: decodeBlock(raw, groups) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(
      `The import ends: block ${numberText(number)} of ${path}, with ${bytesText(raw.length)}, is no block (${why}). Nothing of it is stored; the valid blocks before it stay. The file was made by a faulty or a different program.`,
      { cause: error },
    );
  }
};

const brokenOff = (one: FileBlock, group: number, error: unknown): string =>
  `The import ends at ${placeOf(one)}: group ${group} has failed with it (${error instanceof Error ? error.message : String(error)}). Its log says more. What was imported stays; start the command again to go on.`;

class BlockImport {
  private done = 0;
  private readonly counts = { added: 0, known: 0 };
  /** The last block of each chain in the file. */
  private readonly last = new Map<string, FileBlock>();

  constructor(private readonly options: ImportOptions) {}

  async run(): Promise<ImportResult> {
    const { path, settings } = this.options;
    let first = 1;
    await readBlocks(path, async (raws) => {
      const blocks = raws.map((raw, index) => fileBlock(raw, settings.groups, { path, number: first + index }));
      first += raws.length;
      for (const one of blocks) this.last.set(JSON.stringify(one.block.header.chainIndex), one);
      if (await this.areKnown(blocks)) this.count('known', blocks.length);
      else await this.submitAll(blocks);
    });
    await this.everywhere();
    return { ...this.counts };
  }

  private count(outcome: keyof ImportResult, blocks: number): void {
    this.counts[outcome] += blocks;
    this.done += blocks;
    this.options.progress?.(this.done, this.options.total);
  }

  /**
   * A group that has a block has all its dependencies, so it is enough to check the blocks on which no other one
   * depends.
   */
  private async areKnown(blocks: readonly FileBlock[]): Promise<boolean> {
    const named = new Set(blocks.flatMap(({ block }) => block.header.blockDeps));
    const heads = blocks.filter(({ block }) => !named.has(block.header.hash));
    const isKnown = (head: FileBlock): Promise<boolean> => this.isAt(head, head.block.header.chainIndex.from, 0);
    // A failed request is repeated when the blocks are submitted.
    const known = await Promise.all(heads.map((head) => isKnown(head).catch(() => false)));
    return known.every(Boolean);
  }

  private async submitAll(blocks: readonly FileBlock[]): Promise<void> {
    let next = 0;
    let failed = false;
    const submitNext = async (): Promise<void> => {
      while (next < blocks.length && !failed) {
        const one = blocks[next++]!;
        try {
          this.count(await this.submit(one), 1);
        } catch (error) {
          failed = true;
          throw error;
        }
      }
    };
    const results = await Promise.allSettled(Array.from({ length: atOnce }, submitNext));
    // The first failure may be the cause of the others: blocks that wait for a refused one are not refused themselves.
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    const first = errors.find((error) => error instanceof RefusedBlock) ?? errors[0];
    if (first) throw first;
  }

  /** Repeats until the block is imported by its own group, which may have to receive its dependencies first. */
  private submit(one: FileBlock): Promise<keyof ImportResult> {
    const { from } = one.block.header.chainIndex;
    let waited = false;
    return this.insist(one, from, async () => {
      const { outcome } = await this.options.client.request(from, 'command.block.submit', { block: one.raw });
      if (outcome !== 'buffered') return waited ? 'added' : outcome;
      waited = true;
      return (await this.isAt(one, from, times.wait)) ? 'added' : undefined;
    });
  }

  /** Waits until the last block of each chain is stored in every group. */
  private async everywhere(): Promise<void> {
    const groups = Array.from({ length: this.options.settings.groups }, (_, group) => group);
    for (const one of this.last.values()) {
      await Promise.all(
        groups.map((group) =>
          this.insist(one, group, async () => (await this.isAt(one, group, times.wait)) || undefined),
        ),
      );
    }
    for (const group of groups) {
      const settle = { from: group, to: group };
      await this.options.client.request(group, 'read.inspection.chain', settle);
    }
  }

  /** Retries while a group-node does not respond, or lacks a block that is in flight. */
  private async insist<T>(one: FileBlock, group: number, attempt: () => Promise<T | undefined>): Promise<T> {
    const limit = performance.now() + times.patience;
    for (;;) {
      let reason = 'it does not get what the block depends on';
      try {
        const result = await attempt();
        if (result !== undefined) return result;
      } catch (error) {
        if (isRefusal(error)) throw new RefusedBlock(one, error);
        if (!isUnavailable(error)) throw new CommandFailure(brokenOff(one, group, error), { cause: error });
        reason = (error as Error).message;
      }
      if (performance.now() > limit) {
        throw new CommandFailure(
          `The import ends at ${placeOf(one)}: group ${group} has not taken it for ${times.patience / 1000} s (${reason}). What was imported stays; start the command again to go on.`,
        );
      }
      await pause(times.pause);
    }
  }

  private async isAt(one: FileBlock, group: number, waitMs: number): Promise<boolean> {
    const { hash } = one.block.header as { readonly hash: Hash };
    try {
      await this.options.client.request(group, 'read.inspection.block', { hash, waitMs });
      return true;
    } catch (error) {
      if (isUnknown(error)) return false;
      if (isUnavailable(error) && waitMs > 0) return false;
      throw error;
    }
  }
}

/** A rule refuses the block: this network never had it. */
class RefusedBlock extends CommandFailure {
  constructor(one: FileBlock, { code, detail }: ServiceError) {
    super(
      `The import ends: ${placeOf(one)} breaks the rule ${code} (${detail}). Nothing invalid is stored; the valid blocks before it stay. The file was made by a faulty or a different program.`,
    );
  }
}

/**
 * Submits all blocks of a verified file to the groups of their chains, and waits until all groups have them. May be
 * interrupted and repeated at any time. @throws CommandFailure
 */
export const importBlocks = (options: ImportOptions): Promise<ImportResult> => new BlockImport(options).run();

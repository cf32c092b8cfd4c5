import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient } from '@shardnode/messages';
import { decodeBlock, type Block } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { CommandFailure } from '../command.js';
import { bytesText, numberText } from '../terminal/quantities.js';
import { readBlocks } from './read-block-file.js';

/** Blocks that are under way at once. */
const atOnce = 64;
/** Milliseconds: one request waits for a block, a group-node may be away or behind, and the pause before it is asked again. */
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
  /** Were there before. */
  readonly known: number;
}

interface FileBlock {
  readonly block: Block;
  readonly raw: Buffer;
}

const isUnavailable = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'unavailable';
/** A rule says no, or what comes is no request at all: too large, say. */
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
  /** Of each chain the last block in the file. */
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

  /** Whoever has a block has all that it depends on: those that no other one depends on speak for all. */
  private async areKnown(blocks: readonly FileBlock[]): Promise<boolean> {
    const named = new Set(blocks.flatMap(({ block }) => block.header.blockDeps));
    const heads = blocks.filter(({ block }) => !named.has(block.header.hash));
    const isKnown = (head: FileBlock): Promise<boolean> => this.isAt(head, head.block.header.chainIndex.from, 0);
    // Who cannot be asked now is asked again when they are submitted.
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
    // What failed first may be why the others did: blocks that wait for a refused one are not refused themselves.
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    const first = errors.find((error) => error instanceof RefusedBlock) ?? errors[0];
    if (first) throw first;
  }

  /** Until the block is imported by its own group, which may have to hear of its dependencies first. */
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

  /** The last block of each chain is known and stored in every group. */
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

  /** Again and again while a group-node does not answer, or lacks something that is on its way. */
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

/** A rule says no: the file holds what this network never had. */
class RefusedBlock extends CommandFailure {
  constructor(one: FileBlock, { code, detail }: ServiceError) {
    super(
      `The import ends: ${placeOf(one)} breaks the rule ${code} (${detail}). Nothing invalid is stored; the valid blocks before it stay. The file was made by a faulty or a different program.`,
    );
  }
}

/**
 * Hands all blocks of a file, which has been verified, to the groups of their chains, and waits until all groups have them.
 * May be interrupted and repeated at any time. @throws CommandFailure
 */
export const importBlocks = (options: ImportOptions): Promise<ImportResult> => new BlockImport(options).run();

import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Logger } from '@shardnode/core/observability';
import { type SourceNames } from './compile-job.js';

/** Of the form of the file; another one is not read. */
const format = 1;
/** Characters of the file. */
const mostCharacters = 4 * 1024 * 1024;

const named = z.looseObject({ name: z.string() });
/** As far as a wrong one would do harm: the program wrote it. */
const content = z.object({
  format: z.literal(format),
  contracts: z.array(
    z.looseObject({
      codeHashes: z.array(z.string()),
      contract: z.string(),
      functions: z.array(named),
      events: z.array(named),
      errorCodes: z.array(z.tuple([z.string(), z.string()])),
    }),
  ),
});

/** The newest ones that fit the file, in their order. */
const fitting = (contracts: readonly SourceNames[]): string => {
  const texts: string[] = [];
  let left = mostCharacters;
  for (const names of contracts.toReversed()) {
    const text = JSON.stringify(names);
    left -= text.length + 1;
    if (left < 0) break;
    texts.push(text);
  }
  return `{"format":${format},"contracts":[${texts.reverse().join()}]}`;
};

/** Stores names of compiled contracts in a file of at most 4 MiB characters. They are a convenience: a failure is logged alone. */
export class NamesFile {
  private wanted: readonly SourceNames[] | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly path: string,
    private readonly logger: Logger,
  ) {}

  /** Those of the file; none if there is no file, or one that cannot be read. */
  read(): readonly SourceNames[] {
    try {
      const { contracts } = content.parse(JSON.parse(readFileSync(this.path, 'utf8')));
      return contracts as unknown as readonly SourceNames[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.logger.warn({ error }, 'names of contracts not read');
      return [];
    }
  }

  /** Replaces the content. Of several calls during a write the last one is written. */
  store(contracts: readonly SourceNames[]): void {
    this.wanted = contracts;
    this.writing ??= this.write().finally(() => (this.writing = undefined));
  }

  /** Waits until everything is written. */
  async close(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    while (this.wanted) {
      const text = fitting(this.wanted);
      this.wanted = undefined;
      try {
        await writeFile(`${this.path}.partial`, text);
        await rename(`${this.path}.partial`, this.path);
      } catch (error) {
        this.logger.warn({ error }, 'names of contracts not stored');
      }
    }
  }
}

import { createHash, type Hash as Digest } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { z } from 'zod';
import { systemErrorText } from '@shardnode/core/errors';
import { CommandFailure } from '../command.js';
import {
  type BlockFileHeader,
  digestLength,
  fileMagic,
  fileVersion,
  frontLengths,
  mostHeaderBytes,
  mostSectionBytes,
  tags,
} from './block-file.js';

const unpack = promisify(inflate);

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const headerSchema = z.object({
  networkId: z.number().int().min(0),
  groups: z.number().int().min(1).max(256),
  genesis: z.array(hash),
  sideBlocks: z.boolean(),
  exportedAt: z.string(),
});

export interface BlockFileSummary {
  readonly header: BlockFileHeader;
  readonly blocks: number;
  /** Bytes of the file. */
  readonly bytes: number;
}

/** Reads a file from its beginning, and computes the checksum of all bytes read. */
class Reader {
  private readonly whole: Digest = createHash('sha256');
  position = 0;

  constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  damaged(what: string, at = this.position): CommandFailure {
    return new CommandFailure(
      `${this.path} is damaged: ${what} (at byte ${at} of ${this.size}). Nothing of it was imported by this. Copy it again from where it came, or export it again.`,
    );
  }

  /** Reads bytes that count for the checksum of the whole file. */
  async take(length: number, what: string): Promise<Buffer> {
    const bytes = await this.raw(length, what);
    this.whole.update(bytes);
    return bytes;
  }

  /** Checks that the checksum of `bytes` follows. */
  async expectChecksum(bytes: Buffer, what: string): Promise<void> {
    const at = this.position - bytes.length;
    const expected = createHash('sha256').update(bytes).digest();
    if (!(await this.take(digestLength, what)).equals(expected)) throw this.damaged(`${what} is wrong`, at);
  }

  async expectEnd(): Promise<void> {
    const expected = this.whole.digest();
    if (!(await this.raw(digestLength, 'the checksum of the whole file')).equals(expected)) {
      throw this.damaged('the checksum of the whole file is wrong');
    }
    if (this.position !== this.size) throw this.damaged('more follows after its end');
  }

  private async raw(length: number, what: string): Promise<Buffer> {
    if (this.position + length > this.size) throw this.damaged(`it ends within ${what}`);
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await this.file.read(bytes, 0, length, this.position);
    if (bytesRead !== length) throw this.damaged(`it ends within ${what}`);
    this.position += length;
    return bytes;
  }
}

const readHeader = async (reader: Reader, path: string): Promise<BlockFileHeader> => {
  if (reader.size < frontLengths.file) throw reader.damaged('it ends within its header');
  const front = await reader.take(frontLengths.file, 'its header');
  if (!front.subarray(0, fileMagic.length).equals(fileMagic)) {
    throw new CommandFailure(`${path} is no file of blocks, or its first bytes are damaged. export-blocks makes one.`);
  }
  const length = front.readUInt32BE(12);
  if (length > mostHeaderBytes) throw reader.damaged('the length of its header is wrong', 12);
  const json = await reader.take(length, 'its header');
  await reader.expectChecksum(Buffer.concat([front, json]), 'the checksum of its header');
  const version = front.readUInt32BE(8);
  if (version !== fileVersion) {
    throw new CommandFailure(
      `${path} has version ${version} of the format, this program reads version ${fileVersion}: take the program that made it, or export it again.`,
    );
  }
  return parseHeader(reader, json);
};

/** Right checksums prove that the file is unchanged, not that its writer knew the format. */
const parseHeader = (reader: Reader, json: Buffer): BlockFileHeader => {
  try {
    return headerSchema.parse(JSON.parse(json.toString('utf8')));
  } catch (error) {
    const first = error instanceof z.ZodError ? error.issues[0] : undefined;
    const what = first ? `${first.path.join('.')}: ${first.message}` : 'it is no JSON';
    throw reader.damaged(`its header is not one of this format (${what})`, frontLengths.file);
  }
};

const unpacked = async (reader: Reader, packed: Buffer, length: number): Promise<Buffer> => {
  const bytes = await unpack(packed, { maxOutputLength: Math.max(1, length) }).catch(() => undefined);
  if (bytes?.length !== length) throw reader.damaged('a section does not unpack to the length that it tells');
  return bytes;
};

const blocksOf = (reader: Reader, bytes: Buffer, count: number): Buffer[] => {
  const blocks: Buffer[] = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    blocks.push(bytes.subarray(at + 4, end));
    at = end;
  }
  if (at !== bytes.length || blocks.length !== count) throw reader.damaged('the lengths of its blocks do not fit');
  return blocks;
};

/** The checked bytes of a section, and a function that unpacks them. */
const readSection = async (reader: Reader, tag: Buffer) => {
  const front = await reader.take(frontLengths.section, 'a section');
  const [packedLength, length, count] = [front.readUInt32BE(0), front.readUInt32BE(4), front.readUInt32BE(8)];
  if (packedLength > mostSectionBytes || length > mostSectionBytes) {
    throw reader.damaged('the length of a section is wrong');
  }
  const packed = await reader.take(packedLength, 'a section');
  await reader.expectChecksum(Buffer.concat([tag, front, packed]), 'the checksum of a section');
  return {
    count,
    blocks: async () => blocksOf(reader, await unpacked(reader, packed, length), count),
  };
};

/** The blocks of each section, in the order of the file. Throws a sentence at the first damage. */
async function* sectionsOf(reader: Reader) {
  let blocks = 0;
  for (;;) {
    const tag = await reader.take(1, 'the next section');
    if (tag[0] === tags.section) {
      const section = await readSection(reader, tag);
      blocks += section.count;
      yield section;
      continue;
    }
    if (tag[0] !== tags.end) throw reader.damaged('no section begins here', reader.position - 1);
    const count = Number((await reader.take(frontLengths.end, 'its end')).readBigUInt64BE());
    if (count !== blocks) throw reader.damaged('its number of blocks is wrong');
    return reader.expectEnd();
  }
}

const opened = async <T>(path: string, run: (reader: Reader) => Promise<T>): Promise<T> => {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw new CommandFailure(`${path} cannot be read: ${systemErrorText(error)}.`);
  }
  try {
    return await run(new Reader(path, file, (await file.stat()).size));
  } finally {
    await file.close();
  }
};

/**
 * Reads the whole file and checks every checksum; discards the unpacked blocks. `progress`: bytes read, bytes in all.
 * @throws CommandFailure
 */
export const verifyBlockFile = (
  path: string,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<BlockFileSummary> =>
  opened(path, async (reader) => {
    const header = await readHeader(reader, path);
    let blocks = 0;
    for await (const section of sectionsOf(reader)) {
      blocks += section.count;
      progress(reader.position, reader.size);
    }
    return { header, blocks, bytes: reader.size };
  });

/** Passes the raw blocks of the file, section by section, to `take`. @throws CommandFailure */
export const readBlocks = (path: string, take: (blocks: readonly Buffer[]) => Promise<void>): Promise<void> =>
  opened(path, async (reader) => {
    await readHeader(reader, path);
    for await (const section of sectionsOf(reader)) await take(await section.blocks());
  });

import { createHash, type Hash as Digest } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { type BlockFileHeader, fileMagic, fileVersion, sectionBytes, tags } from './block-file.js';

const compress = promisify(deflate);

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Writes a file of blocks: as `FILE.part` until it is complete and on the disk. */
export class BlockFileWriter {
  private readonly whole: Digest = createHash('sha256');
  private parts: Buffer[] = [];
  private bytesOfSection = 0;
  private blocksOfSection = 0;
  private count = 0;
  private size = 0;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async create(path: string, header: BlockFileHeader): Promise<BlockFileWriter> {
    const writer = new BlockFileWriter(path, await open(`${path}.part`, 'w'));
    const json = Buffer.from(JSON.stringify(header), 'utf8');
    const front = Buffer.concat([fileMagic, uint32(fileVersion), uint32(json.length), json]);
    await writer.write(Buffer.concat([front, sha256(front)]));
    return writer;
  }

  /** Number of blocks, and bytes of the file, so far. */
  get blocks(): number {
    return this.count;
  }
  get bytes(): number {
    return this.size;
  }

  async add(block: Uint8Array): Promise<void> {
    if (this.bytesOfSection > 0 && this.bytesOfSection + block.length > sectionBytes) await this.endSection();
    this.parts.push(uint32(block.length), Buffer.from(block));
    this.bytesOfSection += 4 + block.length;
    this.blocksOfSection += 1;
    this.count += 1;
  }

  /** Renames the file to its name, and replaces an existing one. */
  async finish(): Promise<void> {
    if (this.blocksOfSection > 0) await this.endSection();
    const end = Buffer.concat([Buffer.from([tags.end]), uint64(this.count)]);
    await this.write(end);
    await this.file.appendFile(this.whole.digest());
    this.size += 32;
    await this.file.sync();
    await this.file.close();
    await rename(`${this.path}.part`, this.path);
    const folder = await open(dirname(this.path), 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** Deletes everything written. */
  async abandon(): Promise<void> {
    await this.file.close().catch(() => undefined);
    await rm(`${this.path}.part`, { force: true });
  }

  private async endSection(): Promise<void> {
    const unpacked = Buffer.concat(this.parts);
    const packed = await compress(unpacked);
    const front = [uint32(packed.length), uint32(unpacked.length), uint32(this.blocksOfSection)];
    const section = Buffer.concat([Buffer.from([tags.section]), ...front, packed]);
    await this.write(Buffer.concat([section, sha256(section)]));
    this.parts = [];
    this.bytesOfSection = 0;
    this.blocksOfSection = 0;
  }

  private async write(bytes: Buffer): Promise<void> {
    this.whole.update(bytes);
    this.size += bytes.length;
    await this.file.appendFile(bytes);
  }
}

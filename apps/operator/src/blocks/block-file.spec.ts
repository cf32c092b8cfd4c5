import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailure } from '../command.js';
import { type BlockFileHeader, sectionBytes } from './block-file.js';
import { readBlocks, verifyBlockFile } from './read-block-file.js';
import { BlockFileWriter } from './write-block-file.js';

const header: BlockFileHeader = {
  networkId: 4,
  groups: 4,
  genesis: ['00'.repeat(32), 'ff'.repeat(32)],
  sideBlocks: false,
  exportedAt: '2026-01-01T00:00:00.000Z',
};

describe('a file of blocks', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'shardnode-blocks-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const written = async (name: string, blocks: readonly Uint8Array[]): Promise<string> => {
    const path = join(folder, name);
    const writer = await BlockFileWriter.create(path, header);
    for (const block of blocks) await writer.add(block);
    expect(existsSync(path)).toBe(false);
    await writer.finish();
    expect(existsSync(`${path}.part`)).toBe(false);
    expect(writer.bytes).toBe(readFileSync(path).length);
    return path;
  };

  const read = async (path: string): Promise<Buffer[]> => {
    const all: Buffer[] = [];
    await readBlocks(path, async (blocks) => void all.push(...blocks));
    return all;
  };

  it('gives back what was written, in several sections', async () => {
    const blocks = Array.from({ length: 7 }, (_, i) => Buffer.alloc(sectionBytes / 3, i));
    const path = await written('large', blocks);
    expect(await verifyBlockFile(path)).toEqual({ header, blocks: 7, bytes: readFileSync(path).length });
    expect((await read(path)).map((block) => block.equals(blocks[block[0]!]!))).toEqual(blocks.map(() => true));
    expect(await verifyBlockFile(await written('empty', []))).toMatchObject({ blocks: 0 });
  });

  it('says what is wrong with any byte that is changed, lost or too much', async () => {
    const path = await written('small', [Buffer.from('one block'), Buffer.from('another')]);
    const whole = readFileSync(path);
    const damaged = join(folder, 'damaged');
    const sentences = new Set<string>();
    const expectRefusal = async (bytes: Buffer, what: string): Promise<void> => {
      writeFileSync(damaged, bytes);
      const refusal = await verifyBlockFile(damaged).then(
        () => `not found: ${what}`,
        (error: unknown) => error,
      );
      expect(refusal).toBeInstanceOf(CommandFailure);
      sentences.add((refusal as Error).message.replace(/\(at .*/, '').replace(damaged, 'FILE'));
    };
    for (let at = 0; at < whole.length; at++) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << (at % 8);
      await expectRefusal(flipped, `bit of byte ${at}`);
    }
    for (let length = 0; length < whole.length; length++) {
      await expectRefusal(whole.subarray(0, length), `end at ${length}`);
    }
    await expectRefusal(Buffer.concat([whole, Buffer.from([0])]), 'a byte at the end');
    expect([...sentences]).toEqual(
      expect.arrayContaining([
        'FILE is no file of blocks, or its first bytes are damaged. export-blocks makes one.',
        'FILE is damaged: the checksum of its header is wrong ',
        'FILE is damaged: the checksum of a section is wrong ',
        'FILE is damaged: the checksum of the whole file is wrong ',
        'FILE is damaged: it ends within a section ',
        'FILE is damaged: it ends within the next section ',
        'FILE is damaged: more follows after its end ',
      ]),
    );
  });

  it('of a later version, or none at all, is told as such', async () => {
    await expect(verifyBlockFile(join(folder, 'nothing'))).rejects.toThrow('nothing cannot be read (ENOENT).');
    const text = join(folder, 'text');
    writeFileSync(text, 'some other file, longer than a header');
    await expect(verifyBlockFile(text)).rejects.toThrow('is no file of blocks');
  });

  it('leaves nothing when it is abandoned', async () => {
    const path = join(folder, 'abandoned');
    const writer = await BlockFileWriter.create(path, header);
    await writer.add(Buffer.from('x'));
    await writer.abandon();
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });
});

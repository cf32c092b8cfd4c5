import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { type GroupClient } from '@shardnode/messages';
import { genesisBlocks } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { CommandFailure } from '../command.js';
import { type BlockFileHeader, fileMagic, sectionBytes } from './block-file.js';
import { importBlocks } from './import-blocks.js';
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

  it('returns the written blocks, in several sections', async () => {
    const blocks = Array.from({ length: 7 }, (_, i) => Buffer.alloc(sectionBytes / 3, i));
    const path = await written('large', blocks);
    expect(await verifyBlockFile(path)).toEqual({ header, blocks: 7, bytes: readFileSync(path).length });
    expect((await read(path)).map((block) => block.equals(blocks[block[0]!]!))).toEqual(blocks.map(() => true));
    expect(await verifyBlockFile(await written('empty', []))).toMatchObject({ blocks: 0 });
  });

  it('reports any byte that is changed, lost or added', async () => {
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

  it('reports other content with right checksums', async () => {
    const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
    const uint32 = (value: number): Buffer => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    };
    const crafted = join(folder, 'crafted');
    const refusal = async (json: string, packed: Buffer, length: number): Promise<unknown> => {
      const text = Buffer.from(json);
      const front = Buffer.concat([fileMagic, uint32(1), uint32(text.length), text]);
      const section = Buffer.concat([Buffer.from([1]), uint32(packed.length), uint32(length), uint32(1), packed]);
      writeFileSync(crafted, Buffer.concat([front, sha256(front), section, sha256(section)]));
      return read(crafted).catch((error: unknown) => error);
    };
    const whole = JSON.stringify(header);
    const packed = deflateSync(Buffer.concat([uint32(3), Buffer.from('abc')]));
    const cases = [
      [await refusal('{"networkId":', packed, 7), 'its header is not one of this format (it is no JSON)'],
      [await refusal('{"networkId":"x"}', packed, 7), 'its header is not one of this format (networkId: '],
      [await refusal(whole, Buffer.from('no zlib'), 7), 'a section does not unpack to the length that it tells'],
      [await refusal(whole, packed, 6), 'a section does not unpack'],
      [await refusal(whole, packed, 8), 'a section does not unpack'],
      [await refusal(whole, deflateSync(uint32(9)), 4), 'the lengths of its blocks do not fit'],
    ] as const;
    for (const [error, sentence] of cases) {
      expect(error).toBeInstanceOf(CommandFailure);
      expect((error as Error).message).toContain(sentence);
    }
  });

  it('with invalid blocks reports the first one and its error', async () => {
    const settings = developmentNetwork;
    const [genesis] = genesisBlocks(settings);
    const client = { request: () => Promise.reject(new Error('asked for a file that holds no block')) };
    const importing = async (name: string, blocks: readonly Uint8Array[]): Promise<unknown> =>
      importBlocks({
        client: client as unknown as GroupClient,
        settings,
        path: await written(name, blocks),
        total: blocks.length,
      }).catch((error: unknown) => error);
    for (const [name, bytes] of [
      ['garbage', Buffer.alloc(500, 0xff)],
      ['hollow', Buffer.alloc(0)],
      ['cut', genesis!.raw.subarray(0, -1)],
      // The file never contains genesis blocks.
      ['first', genesis!.raw],
      ['more', Buffer.concat([genesis!.raw, Buffer.from([0])])],
    ] as const) {
      const error = await importing(name, [bytes]);
      expect(error).toBeInstanceOf(CommandFailure);
      expect((error as Error).message).toMatch(
        new RegExp(`^The import ends: block 1 of .*${name}, with .*, is no block \\(.+\\)\\.`),
      );
    }
  });

  it('of a later version, or of another form, is reported as such', async () => {
    await expect(verifyBlockFile(join(folder, 'nothing'))).rejects.toThrow(
      'nothing cannot be read: no such file or directory.',
    );
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

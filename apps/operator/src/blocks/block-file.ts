/**
 * The form of a file of blocks, version 1. Numbers are big-endian.
 *
 *     magic            8 bytes, 89 53 4e 42 0d 0a 1a 0a: a transfer as text would change them
 *     version          4 bytes
 *     length of header 4 bytes
 *     header           JSON: network id, number of groups, first blocks, what was exported
 *     checksum         SHA-256 of all of the above
 *     sections         each: 1 byte 01, length compressed, length unpacked, number of blocks (4 bytes each), zlib stream,
 *                      SHA-256 of the section so far; unpacked: for each block its length (4 bytes) and its bytes
 *     end              1 byte 02, number of blocks (8 bytes), SHA-256 of the whole file so far
 *
 * Each block comes after all blocks that it depends on. The first blocks of the chains are not in it.
 */
export const fileMagic = Buffer.from('89534e420d0a1a0a', 'hex');
export const fileVersion = 1;
export const digestLength = 32;
export const tags = { section: 1, end: 2 } as const;
/** Bytes after the tag of a section, and of the end. */
export const frontLengths = { file: 16, section: 12, end: 8 } as const;

/** Bytes of a section before compression, unless its only block is larger; also the limit of a reader. */
export const sectionBytes = 2 * 1024 * 1024;
export const mostSectionBytes = 64 * 1024 * 1024;
export const mostHeaderBytes = 4 * 1024 * 1024;

export interface BlockFileHeader {
  readonly networkId: number;
  readonly groups: number;
  /** Hashes of the genesis blocks of all chains, by flat index. */
  readonly genesis: readonly string[];
  /** Blocks of branches that are not canonical are included. */
  readonly sideBlocks: boolean;
  /** ISO 8601. */
  readonly exportedAt: string;
}

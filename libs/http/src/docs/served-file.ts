import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

const brotliBytes = promisify(brotliCompress);
const gzipBytes = promisify(gzip);

/**
 * Level 5 of brotli: 9 % smaller than gzip in the same time; level 11 would save 12 % more and take seconds of a core.
 */
const encoders: Readonly<Record<ContentEncoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotliBytes(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => gzipBytes(bytes, { level: 9 }),
  identity: (bytes) => Promise.resolve(bytes),
};

/** The bytes in an encoding. */
export const encodedBytes = (encoding: ContentEncoding, bytes: Buffer): Promise<Buffer> => encoders[encoding](bytes);

/** The best encoding that a client accepts, by its header `Accept-Encoding`. */
export const acceptedEncoding = (header = ''): ContentEncoding => {
  const accepted = header
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]!.trim());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity';
};

/** A file of the documentation; each encoding is computed at its first request. */
export class ServedFile {
  /** Identifies the content: 16 hexadecimal digits of its hash. */
  readonly version: string;
  private readonly encoded: Partial<Record<ContentEncoding, Promise<Buffer>>> = {};

  constructor(
    readonly mediaType: string,
    readonly bytes: Buffer,
  ) {
    this.version = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  }

  in(encoding: ContentEncoding): Promise<Buffer> {
    return (this.encoded[encoding] ??= encodedBytes(encoding, this.bytes));
  }
}

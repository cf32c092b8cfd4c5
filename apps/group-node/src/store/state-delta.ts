import { ByteReader, ByteWriter } from '@shardnode/protocol/encoding';
import { type OutputReference, outputReferenceCodec } from '@shardnode/protocol/primitives';
import { type Output, outputCodec } from '@shardnode/protocol/transaction';

/** The asset outputs that a state removes from its parent and adds to it: enough to redo and undo the projection. */
export interface StateDelta {
  readonly removed: readonly OutputReference[];
  readonly added: readonly { readonly reference: OutputReference; readonly output: Output }[];
}

const writeCount = (writer: ByteWriter, count: number): void =>
  writer.bytes(new Uint8Array([count >>> 24, (count >>> 16) & 255, (count >>> 8) & 255, count & 255]));

const readCount = (reader: ByteReader): number => {
  const [a, b, c, d] = reader.take(4);
  return a! * 2 ** 24 + b! * 2 ** 16 + c! * 2 ** 8 + d!;
};

/** Count (4 bytes) and references, count (4 bytes) and pairs of reference and output. */
export const encodeDelta = (delta: StateDelta): Uint8Array => {
  const writer = new ByteWriter();
  writeCount(writer, delta.removed.length);
  for (const reference of delta.removed) outputReferenceCodec.write(writer, reference);
  writeCount(writer, delta.added.length);
  for (const { reference, output } of delta.added) {
    outputReferenceCodec.write(writer, reference);
    outputCodec.write(writer, output);
  }
  return writer.finish();
};

/** Inverse of `encodeDelta`. Throws DecodeError. */
export const decodeDelta = (bytes: Uint8Array): StateDelta => {
  const reader = new ByteReader(bytes);
  const removed = Array.from({ length: readCount(reader) }, () => outputReferenceCodec.read(reader));
  const added = Array.from({ length: readCount(reader) }, () => ({
    reference: outputReferenceCodec.read(reader),
    output: outputCodec.read(reader),
  }));
  return { removed, added };
};

import { type Codec, fixedBytes, fixedU32, hash32, signedByte, timestamp, vector } from '../encoding/index.js';
import { type BlockHeader } from './model.js';

const nonce = fixedBytes(24);
const blockDeps = vector(hash32);

/** protocol 01 §14.1. Neither version nor the number of dependencies is checked here; `decodeHeader` does the latter. */
export const headerCodec: Codec<BlockHeader> = {
  write: (writer, header) => {
    nonce.write(writer, header.nonce);
    signedByte.write(writer, header.version);
    blockDeps.write(writer, header.blockDeps);
    hash32.write(writer, header.depStateHash);
    hash32.write(writer, header.txsHash);
    timestamp.write(writer, header.timestamp);
    fixedU32.write(writer, header.target);
  },
  read: (reader) => ({
    nonce: nonce.read(reader),
    version: signedByte.read(reader),
    blockDeps: blockDeps.read(reader),
    depStateHash: hash32.read(reader),
    txsHash: hash32.read(reader),
    timestamp: timestamp.read(reader),
    target: fixedU32.read(reader),
  }),
};

import { type BlockHeader, type SealedHeader, workOf } from '../block/index.js';
import { type Hash } from '../primitives/index.js';
import { nodesBetween } from './ancestry.js';
import { type HeaderReader } from './readers.js';
import { accumulatedWeight } from './weight.js';

/** `between(n,o)`, ascending (protocol 03 §4.3). Throws UnrelatedBlocks. */
export const between = (reader: HeaderReader, newer: Hash, older: Hash): Hash[] =>
  nodesBetween(reader.node(newer), reader.node(older)).map((node) => node.hash);

/** Accumulated weight of a header whose dependencies are known (protocol 03 §7.2). */
export const weightOf = (reader: HeaderReader, header: SealedHeader): bigint =>
  accumulatedWeight(
    header.chainIndex.from,
    header.blockDeps.map((dep) => reader.node(dep)),
    workOf(header.target),
  );

/** The dependencies of a header that are not known yet, each once, in their order (protocol 03 §12.4). */
export const missingDependencies = (reader: Pick<HeaderReader, 'missing'>, header: BlockHeader): readonly Hash[] =>
  reader.missing([...new Set(header.blockDeps)]);

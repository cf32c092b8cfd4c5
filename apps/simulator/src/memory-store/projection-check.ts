import { type ProjectionCheck, type Utxo } from '@shardnode/group-node';
import { encode } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { outputOfStateValue, referenceOfKey, trieScan } from '@shardnode/protocol/state';
import { outputCodec } from '@shardnode/protocol/transaction';
import { type MemoryDisk } from './memory-disk.js';
import { type StateSource } from './state-moves.js';

/** All asset outputs of a state, by ascending key of the trie. */
export const outputsOfState = async (source: StateSource, block: Hash): Promise<readonly Utxo[]> => {
  const root = source.of(block).state.outputRoot;
  const entries = await trieScan(source, root, new Uint8Array(0), Number.POSITIVE_INFINITY);
  return entries.flatMap(({ key, value }) => {
    const output = outputOfStateValue(value);
    return output.kind === 'asset' ? [{ reference: referenceOfKey(key), output }] : [];
  });
};

const printOf = ({ reference, output }: Utxo): string =>
  `${reference.hint} ${Buffer.from(encode(outputCodec, output)).toString('hex')}`;

/** Compares the projection with the output trie at its head. */
export const checkProjection = async (disk: MemoryDisk, source: StateSource): Promise<ProjectionCheck> => {
  if (!disk.head) return { equal: true, utxoCount: 0 };
  const expected = await outputsOfState(source, disk.head.hash);
  const utxoCount = expected.length;
  for (const utxo of expected) {
    const { key } = utxo.reference;
    const found = disk.utxos.get(key);
    if (!found) return { equal: false, difference: `output ${key} of the state is missing`, utxoCount };
    if (printOf(found) !== printOf(utxo)) return { equal: false, difference: `output ${key} differs`, utxoCount };
  }
  if (disk.utxos.size === utxoCount) return { equal: true, utxoCount };
  const difference = `there are ${disk.utxos.size - utxoCount} outputs that are not in the state of ${disk.head.hash}`;
  return { equal: false, difference, utxoCount };
};

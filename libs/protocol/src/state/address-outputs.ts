import { type AssetLockupScript, type Hash, sameLockupScript, scriptHint } from '../primitives/index.js';
import { type AssetOutput } from '../transaction/index.js';
import { type GroupView } from './group-view.js';
import { outputOfStateValue, referenceOfKey } from './output-state.js';
import { type StoredOutput } from './state-changes.js';
import { LoadedNodes } from './trie/loaded-nodes.js';
import { trieScan } from './trie/trie-scan.js';
import { type TrieNodeStore } from './trie-node-source.js';

/** The first four bytes of all keys of a lockup script's asset outputs (protocol 04 §5.1). */
const hintPrefix = (lockupScript: AssetLockupScript): Uint8Array => {
  const hint = scriptHint(lockupScript);
  return Uint8Array.of(hint >> 24, hint >> 16, hint >> 8, hint);
};

/**
 * The unspent outputs of a lockup script in a world state, in ascending key order, then those that pending blocks
 * create, lock time as written (protocol 04 §5.2 steps 1 to 3, without a limit).
 */
export const addressOutputs = async (
  store: TrieNodeStore,
  outputRoot: Hash,
  lockupScript: AssetLockupScript,
  view: Pick<GroupView, 'isSpent' | 'created'>,
  nodes: LoadedNodes = new LoadedNodes(),
): Promise<StoredOutput[]> => {
  const isOf = (output: AssetOutput): boolean => sameLockupScript(output.lockupScript, lockupScript);
  const entries = await trieScan(store, outputRoot, hintPrefix(lockupScript), Infinity, undefined, nodes);
  const unspent: StoredOutput[] = [];
  const listed = new Set<string>();
  for (const { key, value } of entries) {
    const output = outputOfStateValue(value);
    const reference = referenceOfKey(key);
    // Hints can coincide: only the lockup script decides.
    if (output.kind !== 'asset' || !isOf(output)) continue;
    listed.add(reference.key);
    if (!view.isSpent(reference)) unspent.push({ reference, output });
  }
  for (const { reference, output } of view.created) {
    if (output.kind !== 'asset' || !isOf(output)) continue;
    if (!listed.has(reference.key) && !view.isSpent(reference)) unspent.push({ reference, output });
  }
  return unspent;
};

import { type BuildOutcome } from '@shardnode/protocol/building';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { type GroupNode } from '../group-node.js';
import { addressSet, unspentOf } from '../view/address-outputs.js';

/** Refusals that more outputs could have avoided. */
const lackOfOutputs: ReadonlySet<string> = new Set(['NotEnoughBalance', 'NotEnoughBalanceForFee', 'NotEnoughToken']);

const lockTimesOf = async (
  node: GroupNode,
  lockupScripts: readonly AssetLockupScript[],
  now: bigint,
): Promise<readonly bigint[]> => {
  const times = new Set<bigint>();
  for (const lockupScript of lockupScripts) {
    // An error is not worth reading an address with very many outputs.
    if ((await addressSet(node, lockupScript)).kind === 'large') continue;
    for (const { output } of await unspentOf(node, lockupScript, { pool: true }))
      if (output.lockTime > now) times.add(output.lockTime);
  }
  return [...times].sort((a, b) => (a < b ? -1 : 1));
};

/**
 * When outputs that are locked now would be enough for what was refused for want of them: milliseconds since 1970, as digits;
 * undefined when they would not be, or the refusal has another reason.
 */
export const spendableAt = async (
  node: GroupNode,
  lockupScripts: readonly AssetLockupScript[],
  now: bigint,
  code: string,
  buildAt: (time: bigint) => Promise<BuildOutcome<unknown>>,
): Promise<string | undefined> => {
  if (!lackOfOutputs.has(code)) return undefined;
  const times = await lockTimesOf(node, lockupScripts, now);
  const last = times.at(-1);
  if (last === undefined || !(await buildAt(last)).ok) return undefined;
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await buildAt(times[middle]!)).ok) high = middle;
    else low = middle + 1;
  }
  return String(times[high]);
};

import { type ScriptTrial, scriptTrial } from '@shardnode/protocol/building';
import { nextBlockOf } from '../contracts/next-block.js';
import { type BuilderReads } from './builder-reads.js';
import { contractLayer } from '../view/contract-view.js';

/**
 * The same trial for as long as queries see the same: a build that missed something of the state is made again, and what it
 * has tried goes on.
 */
export const lastingTrial = (node: Pick<BuilderReads, 'state'>, now: bigint): (() => ScriptTrial) => {
  let last: { readonly shown: unknown; readonly trial: ScriptTrial } | undefined;
  return () => {
    const { shown } = node.state;
    if (last?.shown !== shown) last = { shown, trial: trialOn(node, now) };
    return last.trial;
  };
};

/**
 * Tries scripts as if they were mined in the next block of the group, on what queries see (protocol 02 §2.6). `now`:
 * milliseconds since 1970. Throws StateMiss: use it inside `GroupMemory.loaded`.
 */
export const trialOn = ({ state: { memory, shown, group } }: Pick<BuilderReads, 'state'>, now: bigint): ScriptTrial =>
  scriptTrial(
    () => nextBlockOf(memory, { from: group, to: group }, shown.best, now),
    () => contractLayer(memory, shown.state),
  );

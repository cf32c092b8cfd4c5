import { type ScriptTrial, scriptTrial } from '@shardnode/protocol/building';
import { nextBlockOf } from '../contracts/next-block.js';
import { type BuilderReads } from './builder-reads.js';
import { contractLayer } from '../view/contract-view.js';

/**
 * Returns the same trial while the view of queries is unchanged. A build that runs again after a state miss continues
 * its trial.
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
 * Tries scripts as if the next block of the group contained them, on the view of queries (protocol 02 §2.6). `now`:
 * milliseconds since 1970. Throws StateMiss: use it inside `GroupMemory.loaded`.
 */
export const trialOn = (
  { state: { memory, shown, group, settings } }: Pick<BuilderReads, 'state'>,
  now: bigint,
): ScriptTrial =>
  scriptTrial(
    settings,
    () => nextBlockOf(memory, { from: group, to: group }, shown.best, now),
    () => contractLayer(memory, shown.state),
  );

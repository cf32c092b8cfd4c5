import { targetValue } from '../block/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type BlockEnvironment } from '../vm/index.js';

/**
 * What scripts see of a block that is yet to be made: it has no hash, and a script that asks for it fails. The mempool, templates
 * and gas estimation run scripts in it, so that nothing is taken that no template of ours could hold (00-decisions, 15).
 * `timestamp` in milliseconds since 1970, `target` compact.
 */
export const nextBlockEnvironment = (
  { networkId }: Pick<NetworkSettings, 'networkId'>,
  group: number,
  timestamp: bigint,
  target: number,
): BlockEnvironment => ({ networkId, timestamp, target: targetValue(target), blockHash: undefined, group });

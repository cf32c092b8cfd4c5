import { targetValue } from '../block/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type BlockEnvironment } from '../vm/index.js';

/**
 * Environment of scripts for the next block: it has no hash, and a script that reads it fails. The mempool, templates
 * and gas estimation use it, so that no script is accepted that our templates cannot contain (00-decisions, 15).
 * `timestamp` in milliseconds since 1970, `target` compact.
 */
export const nextBlockEnvironment = (
  { networkId }: Pick<NetworkSettings, 'networkId'>,
  group: number,
  timestamp: bigint,
  target: number,
): BlockEnvironment => ({ networkId, timestamp, target: targetValue(target), blockHash: undefined, group });

import { waitFor } from '../wait-for.js';
import { type Cluster } from './cluster.js';
import { type ProcessName } from './cluster-process.js';
import { type CutSide, type SeenStatement } from './postgres-taps.js';

/** A statement of a process, and whether the server gets it. */
export interface StatementKill {
  readonly side: CutSide;
  readonly matching: (statement: SeenStatement) => boolean;
}

/**
 * Kills a process at a statement of its own: before the server gets it, or when it is done and untold.
 * @param provoke makes the process send it
 */
export const killAtStatement = async (
  cluster: Cluster,
  name: ProcessName,
  { side, matching }: StatementKill,
  provoke: () => void,
): Promise<void> => {
  const [service, proxy] = [cluster.process(name), cluster.proxy(name, 'postgres')];
  const fault = side === 'before' ? 'cutBefore' : 'cutAfter';
  const before = proxy.hits[fault];
  proxy.cutAtStatement({
    side,
    matching: (statement) => {
      const isIt = matching(statement);
      if (isIt && side === 'before') void service.kill9();
      return isIt;
    },
  });
  provoke();
  await waitFor(`${fault} to be felt`, () => proxy.hits[fault] > before, { timeoutMs: 120_000, everyMs: 1 });
  await service.kill9();
};

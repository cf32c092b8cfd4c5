import { getHeapStatistics } from 'node:v8';
import { type MemoryWatch } from '@shardnode/testing/machine-fuzz';

/** Bytes of heap and external memory that the end of a run may hold. */
const bound = 64 << 20;
/** Growth before a garbage collection above which a run is examined, bytes. */
const suspicious = 1 << 20;

const used = (): number => {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
};

const collect = (): void => (globalThis as { gc?: () => void }).gc?.();

/** Examines runs with much memory: repeats them between garbage collections. */
export const memoryWatch = (): MemoryWatch & { most(): number } => {
  let most = 0;
  return {
    isSuspicious: (run) => {
      const before = used();
      run();
      return used() - before > suspicious;
    },
    problems: (run) => {
      collect();
      const before = used();
      const ended = run();
      collect();
      const held = used() - before;
      // Named after the collection, so that it was held during it.
      if (ended.held === undefined) return [];
      most = Math.max(most, held);
      return held < bound ? [] : [`${Math.round(held / 2 ** 20)} MB are held`];
    },
    /** Maximum memory held by an examined run, bytes. */
    most: () => most,
  };
};

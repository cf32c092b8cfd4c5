import { PGlite } from '@electric-sql/pglite';
import { mutex } from '../../concurrency/index.js';

/** Runs messages of PostgreSQL's wire protocol one at a time, and answers in their order. */
export interface PgliteEngine {
  /**
   * Returns the server's responses to complete messages as one byte sequence. Rejects only when the engine is broken.
   */
  exchange(messages: Uint8Array): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Settings for many small statements and no background workers. Plans are made once, possibly while tables are tiny,
 * and never remade when tables grow. So sequential scans are disabled.
 */
const settings: Readonly<Record<string, string>> = {
  wal_buffers: '1MB',
  max_wal_size: '512MB',
  wal_init_zero: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  track_activities: 'off',
  track_counts: 'off',
};

/** Megabytes of pages in memory (`shared_buffers`). */
const defaultBufferMegabytes = 64;

/** Start options of PGlite for both engines. */
export const pgliteOptions = (
  dataDir: string | undefined,
  bufferMegabytes = defaultBufferMegabytes,
): { dataDir?: string; startParams: string[] } => ({
  ...(dataDir !== undefined && { dataDir }),
  startParams: [
    ...PGlite.defaultStartParams,
    ...Object.entries({ ...settings, shared_buffers: `${bufferMegabytes}MB` }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
  ],
});

/** Milliseconds of database work before a yield to the event loop (architecture, decision 5). */
const turn = 5;

/**
 * The engine on the caller's own thread: for tests and tools that run from source. PGlite resolves in microtasks, which
 * would starve timers and sockets, so the engine yields to the event loop after `turn` milliseconds of work.
 */
export const engineOver = (pglite: PGlite): PgliteEngine => {
  let lastYield = performance.now();
  const inOrder = mutex();
  const exchange = async (messages: Uint8Array): Promise<Buffer> => {
    const answers: Buffer[] = [];
    await pglite.execProtocolRawStream(messages, { onRawData: (data) => void answers.push(Buffer.from(data)) });
    if (performance.now() - lastYield >= turn) {
      await new Promise((resolve) => setImmediate(resolve));
      lastYield = performance.now();
    }
    return answers.length === 1 ? answers[0]! : Buffer.concat(answers);
  };
  return {
    exchange: (messages) => inOrder(() => exchange(messages)),
    close: () => pglite.close(),
  };
};

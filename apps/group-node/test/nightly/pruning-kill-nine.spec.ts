import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { emptyWorldState } from '@shardnode/protocol/state';
import { repository, sourceFlags } from '@shardnode/testing/source-process';
import { reachableNodes } from '../../src/pruning/sweep.js';
import { loadMemory } from '../../src/start/load-memory.js';
import { openStore } from '../support/embedded-stores.js';
import { openHost } from '../support/open-host.js';
import { describeWithPostgres, serverStores } from '../support/server-stores.js';

const group = 0;
const program = fileURLToPath(new URL('../support/pruning-process.ts', import.meta.url));

interface Run {
  readonly blocks: number;
  readonly crashAt?: string;
  /** Milliseconds from when it begins to prune. */
  readonly killAfter?: number;
}

/** How it ended. */
const run = (
  database: string,
  { blocks, crashAt = '', killAfter }: Run,
): Promise<{ readonly code: number | null; readonly signal: string | null; readonly errors: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...sourceFlags, program], {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DATABASE: database, BLOCKS: String(blocks), CRASH_AT: crashAt },
    });
    let errors = '';
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    child.stdout.on('data', () => {
      if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, errors }));
  });

const scenario = (open: () => Promise<string>): void => {
  let database: string;
  beforeAll(async () => {
    database = await open();
  });

  /** Every state that is said to be readable is whole. Gives the nodes that no readable state needs, and how far it is. */
  const inspect = async () => {
    const host = await openHost(database);
    try {
      const store = await openStore(host, group);
      const { dag, horizon } = await loadMemory({ settings, group, store });
      const chain = { from: group, to: group };
      const heights = Array.from({ length: dag.maxHeight(chain) + 1 }, (_, height) => dag.canonicalAt(chain, height)!);
      const readable = heights.filter((hash) => horizon.isReadable(hash));
      const states = [...(await store.worldStates(readable)).values()];
      const roots = states.flatMap(({ outputRoot, contractRoot }) => [outputRoot, contractRoot]);
      const needed = await reachableNodes(store, [emptyWorldState().state.codeRoot, ...roots]);
      let unneeded = 0;
      for await (const page of store.pruning!.nodePages())
        unneeded += page.filter(({ hash }) => !needed.has(hash)).length;
      expect(await store.checkProjection()).toMatchObject({ equal: true });
      return { unneeded, readable: readable.length, place: horizon.place };
    } finally {
      await host.close();
    }
  };

  it('goes on where it was: no state of the horizon is hurt, and nothing is left over', async () => {
    const killed = { signal: 'SIGKILL' };
    expect(await run(database, { blocks: 10, crashAt: 'before-prune' })).toMatchObject(killed);
    expect((await inspect()).place).toBeUndefined();
    expect(await run(database, { blocks: 0, crashAt: 'after-prune:2' })).toMatchObject(killed);
    // A server has made the steps; the embedded database may have lost them whole.
    const { place, unneeded } = await inspect();
    if (database.startsWith('postgresql:')) {
      expect(place).toMatchObject({ isComplete: false });
      expect(unneeded).toBeGreaterThan(0);
    }
    expect(await run(database, { blocks: 0, crashAt: 'before-prune:3' })).toMatchObject(killed);
    await inspect();
    await run(database, { blocks: 0, killAfter: 40 });
    await inspect();
    expect(await run(database, { blocks: 0 })).toMatchObject({ code: 0, errors: '' });
    expect(await inspect()).toMatchObject({ unneeded: 0, readable: 4, place: { isComplete: true } });
  }, 240_000);
};

// In full length: this database may lose the steps whole, so that the kills show less of them.
if (process.env['LONG'] === '1') {
  describe('a process that is killed while it prunes, embedded', () => {
    let folder: string;
    scenario(async () => (folder = mkdtempSync(join(tmpdir(), 'shardnode-pruning-'))));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
  });
}

describeWithPostgres('a process that is killed while it prunes, on PostgreSQL', (server) => {
  scenario(async () => {
    const stores = await serverStores(server());
    await stores.remove();
    return stores.url;
  });
});

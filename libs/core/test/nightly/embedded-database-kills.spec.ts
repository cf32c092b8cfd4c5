import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase, prepareCluster } from '@shardnode/core/database';
import { fixtureMigrations } from '../database/database-contract.js';
import { startWriter } from '../database/start-writer.js';

const folder = mkdtempSync(join(tmpdir(), 'shardnode-database-'));
const prepared = join(folder, 'prepared.tar.gz');
/** Of a writing process; one on each engine in turn. */
const kills = process.env.LONG === '1' ? 20 : 4;
let number = 0;
const freshFolder = (): string => join(folder, `data-${++number}`);

writeFileSync(prepared, await prepareCluster((service) => service('first').migrate(fixtureMigrations)));

describe('the embedded database, among processes that are killed', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('loses nothing acknowledged and tears nothing when it is killed, again and again', async () => {
    const dataDir = freshFolder();
    let acknowledged = 0;
    for (let round = 0; round < kills; round++) {
      const child = startWriter({ dataDir, prepared, engine: round % 2 === 0 ? 'thread' : 'in-process' });
      await child.printed(1 + 20 + round * 37);
      child.kill('SIGKILL');
      await child.ended;
      expect(child.lines[0]).toBe('open');
      acknowledged += child.lines.length - 1;
      const host = await openEmbeddedDatabase({ dataDir, preparedCluster: prepared });
      const database = host.service('first');
      const rows = await database.query<{ id: number; name: string }>(
        'all',
        'SELECT id, name FROM first.thing ORDER BY id',
      );
      // Every transaction writes two rows: both or none.
      expect(rows.length % 2).toBe(0);
      expect(rows.length / 2).toBeGreaterThanOrEqual(acknowledged);
      expect(rows.map(({ id }) => id)).toEqual(rows.map((_, i) => i));
      acknowledged = rows.length / 2;
      await host.close();
    }
    expect(acknowledged).toBeGreaterThan(20 * kills);
  });

  it('lets at most one of many starters in', async () => {
    const dataDir = freshFolder();
    const children = Array.from({ length: 3 }, () => startWriter({ dataDir, prepared }));
    await Promise.all(children.map((child) => child.printed(1)));
    const inside = children.filter((child) => child.lines[0] === 'open');
    expect(inside.length).toBeLessThanOrEqual(1);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => child.ended));
  });
});

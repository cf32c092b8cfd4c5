import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database } from '@shardnode/core/database';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { launchTimestamp } from '@shardnode/protocol/block';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { describeWithServers } from '@shardnode/testing/servers';
import { explorerApi } from '../../src/index.js';
import { schemaProblem } from '../../src/index-store/schema-state.js';
import { openServer, type ServerDatabase } from '../support/databases.js';
import { checkIndex } from '../../src/index-check/check-index.js';
import { observing, type Statement } from '../support/observed-statements.js';
import { type ApiDocument, everyRequest } from '../plans/every-request.js';
import { generateLedger, type KnownValues } from '../plans/generated-ledger.js';
import { fullScans } from '../plans/statement-plans.js';

const transactions = process.env['LONG'] === '1' ? 1_000_000 : 50_000;
/** Rows from which on a table is large. */
const large = transactions / 10;

/** Of parameters that no row has. */
const chosen: KnownValues = {
  page: ['40'],
  reverse: ['true'],
  payments: ['true'],
  direction: ['in', 'out'],
  event_index: ['1'],
  'interface-id': ['fungible', '000301', 'non-standard'],
  fromTs: [String(launchTimestamp)],
  toTs: [String(launchTimestamp + 3_600_000n)],
  'interval-type': ['hourly', 'daily'],
};

describeWithServers(['postgres'], `plans over ${transactions} transactions`, () => {
  let opened: ServerDatabase;
  let api: RunningService;
  let known: KnownValues;
  let observed: Database;
  const statements: Statement[] = [];

  beforeAll(async () => {
    opened = await openServer();
    known = { ...(await generateLedger(opened.database, transactions)), ...chosen };
    // Without a counted day the outputs of all transactions are added up.
    await opened.database.query(
      'day-of-test',
      'INSERT INTO explorer.supply_days (at, total, circulating, reserved, locked) VALUES (4102444800000, 0, 0, 0, 0)',
    );
    known = {
      ...known,
      q: [
        '7',
        '0/2 7',
        'SYM2',
        'abcde',
        '1Ab3d',
        '1Ab3…d4F',
        '12345',
        ...known['block_hash']!,
        ...known['contract_address']!,
      ],
    };
    observed = observing((statement) => statements.push(statement))(opened.forReading);
    const http = { host: '127.0.0.1', port: 0, accessLog: false };
    api = explorerApi({ groups: 4, http }, { database: observed, clock: createStoppedClock(), logger: silentLogger });
    await api.start();
  });
  afterAll(async () => {
    await api?.stop();
    await opened?.close();
  });

  const send = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${api.port}${path}`, init);

  it('the schema fits for a role that only reads it', async () => {
    expect(await schemaProblem(opened.forReading)).toBeUndefined();
  });

  it('a role that only reads is served, and neither a request nor the check of the index reads a large table from end to end', async () => {
    const document = (await (await send('/docs/openapi.json')).json()) as ApiDocument;
    const requests = everyRequest(document, known);
    for (const { operation, path, method, body, hasCursor } of requests) {
      const answer = await send(path, { method, ...(body === undefined ? {} : { body }) });
      if (answer.status !== 200) throw new Error(`${operation} ${path}: ${answer.status} ${await answer.text()}`);
      await answer.text();
      const cursor = answer.headers.get('x-next-cursor');
      if (!hasCursor || cursor === null) continue;
      const next = await send(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
      if (next.status !== 200) throw new Error(`${operation} ${path} by cursor: ${next.status}`);
      await next.text();
    }
    // The amounts of this ledger do not balance: it finds much.
    const source = { isCanonical: async () => true };
    const began = performance.now();
    const { signal: stopping } = new AbortController();
    const parts = { groups: 4, reading: observed, source, clock: systemClock, logger: silentLogger, stopping };
    await checkIndex(parts, Math.random);
    const verifiedAfter = performance.now() - began;
    const rows = await opened.database.query<{ relname: string }>(
      'large-tables',
      `SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = 'r' AND reltuples >= $2`,
      [opened.database.schema, large],
    );
    const largeTables = new Set(rows.map(({ relname }) => relname));
    expect([...largeTables]).toEqual(expect.arrayContaining(['blocks', 'transactions', 'outputs', 'inputs', 'events']));
    // One that does, so that it is seen.
    const scan = { name: 'scan', text: 'SELECT count(*) FROM explorer.outputs WHERE message IS NOT NULL', values: [] };
    expect(await fullScans(opened.database, [...statements, scan], (table) => largeTables.has(table))).toEqual([
      'scan: scans outputs',
      'scan: scans outputs, for any values',
    ]);
    // Of the quiet address: the other has too many.
    expect(statements.map(({ name }) => name)).toContain('unspent-outputs');
    const took = `verified in ${Math.round(verifiedAfter)} ms`;
    process.stderr.write(`${requests.length} requests, ${statements.length} statements, ${took}\n`);
  });
});

import { Gauge, type Registry } from 'prom-client';
import { PreparedHistogram } from '../observability/prepared-histogram.js';
import { type Database, type DatabaseUsage } from './database.js';

/** Milliseconds between two reads of the size: each read checks every file of the database. */
const sizeEvery = 60_000;

/** Reads the size in the background: a hanging database must not block the other metrics. */
const registerSize = (registry: Registry, database: Pick<Database, 'query'>): void => {
  let bytes: number | undefined;
  let next = 0;
  const look = async (): Promise<void> => {
    if (performance.now() < next) return;
    next = Infinity;
    try {
      const [row] = await database.query<{ bytes: bigint }>(
        'database_size',
        'SELECT pg_database_size(current_database()) AS bytes',
      );
      bytes = row === undefined ? undefined : Number(row.bytes);
    } catch {
      bytes = undefined;
    }
    next = performance.now() + sizeEvery;
  };
  new Gauge({
    name: 'database_size_bytes',
    help: 'Size of the database, read at most once a minute; absent until known',
    registers: [registry],
    collect() {
      void look();
      if (bytes === undefined) this.remove();
      else this.set(bytes);
    },
  });
};

/** Metrics of a service's database: connections, pending statements, statement latency, reachability. */
export const databaseMetrics = (
  registry: Registry,
  database: Pick<Database, 'usage' | 'observe' | 'observeHolds' | 'query'>,
): void => {
  const registers = [registry];
  const duration = new PreparedHistogram({
    name: 'database_work_seconds',
    help: 'Time of a statement or transaction, with the wait for a connection; write: on the connection of the writer',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    labelNames: ['kind'],
    registers,
  });
  const recorders = { read: duration.of({ kind: 'read' }), write: duration.of({ kind: 'write' }) };
  database.observe((kind, seconds) => recorders[kind].observe(seconds));
  const held = new PreparedHistogram({
    name: 'database_held_seconds',
    help: 'Time for which this service holds the one connection of an embedded database, while all others wait',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 5],
    labelNames: [],
    registers,
  }).of({});
  database.observeHolds((seconds) => held.observe(seconds));
  registerSize(registry, database);
  const gauge = (name: string, help: string, read: (usage: DatabaseUsage) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(database.usage()));
      },
    });
  };
  gauge('database_connections_used', 'Connections for reads in use', ({ used }) => used);
  gauge('database_connections_idle', 'Idle connections for reads', ({ idle }) => idle);
  gauge('database_connections_limit', 'Limit of connections for reads', ({ limit }) => limit);
  gauge('database_connections_waiting', 'Statements waiting for a connection', ({ waiting }) => waiting);
  gauge('database_reachable', "1 while the database can be reached and the writer's lock is held", ({ isReachable }) =>
    isReachable ? 1 : 0,
  );
};

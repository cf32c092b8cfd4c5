import type pg from 'pg';
import { breakConnection } from '../connections.js';
import { type SchemaStatements, type Statements, type TransactionOptions } from '../database.js';
import { WriterLostError } from '../database-error.js';
import { runNamed, runTransaction } from '../statements.js';
import { isConnectionLost } from '../unavailable.js';

/**
 * Milliseconds. `statement`: timeout; a commit takes tenths of a second, and after a timeout it is read back, so too
 * low a limit costs only a new session. `heartbeat`: interval of probes on an idle connection. `heartbeatAnswer`:
 * timeout of a probe.
 */
const times = { statement: 5_000, heartbeat: 1_000, heartbeatAnswer: 3_000 };

/**
 * One connection that holds the lock, until it is lost. Statements run one at a time. A heartbeat on the idle
 * connection detects a cut cable. After a loss all statements reject, pending ones too.
 */
export class WriterSession implements SchemaStatements {
  private lostBy: Error | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private working = 0;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(
    private readonly client: pg.Client,
    readonly schema: string,
    private readonly onLost: (error: Error) => void,
  ) {
    client.on('error', (error) => this.lose(error));
    client.on('end', () => this.lose(new Error('Connection terminated unexpectedly')));
    this.heartbeat = setInterval(() => this.beat(), times.heartbeat);
    this.heartbeat.unref();
  }

  get isHeld(): boolean {
    return this.lostBy === undefined;
  }

  query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return this.exclusively(() => runNamed<Row>(this.client, this.schema, { name, text, values }, times.statement));
  }

  transaction<T>(run: (statements: Statements) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const limited = { statementPatience: times.statement, ...options };
    return this.exclusively(() => runTransaction(this.client, this.schema, run, limited));
  }

  /** Ends the connection after its pending statements, which releases the lock. This is no loss. */
  async close(): Promise<void> {
    await this.last;
    if (!this.end(new Error('the writer is closed'))) return;
    const ended = this.client.end();
    const tooLong = setTimeout(() => breakConnection(this.client), times.heartbeatAnswer);
    await ended;
    clearTimeout(tooLong);
  }

  private exclusively<T>(run: () => Promise<T>): Promise<T> {
    const result = this.last.then(async () => {
      if (this.lostBy) throw new WriterLostError(this.lostBy);
      try {
        return await run();
      } catch (error) {
        if (isConnectionLost(error)) this.lose(error as Error);
        throw error;
      }
    });
    this.working++;
    this.last = result.then(
      () => this.working--,
      () => this.working--,
    );
    return result;
  }

  private beat(): void {
    if (this.working > 0) return;
    const text = 'SELECT 1';
    const query = { name: 'heartbeat', text };
    this.exclusively(() => runNamed(this.client, this.schema, query, times.heartbeatAnswer)).catch((error: Error) =>
      this.lose(error),
    );
  }

  private lose(error: Error): void {
    if (!this.end(error)) return;
    breakConnection(this.client);
    this.onLost(error);
  }

  /** False if it had ended before. */
  private end(error: Error): boolean {
    if (this.lostBy) return false;
    this.lostBy = error;
    clearInterval(this.heartbeat);
    return true;
  }
}

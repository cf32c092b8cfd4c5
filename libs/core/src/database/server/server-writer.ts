import pg from 'pg';
import { breakConnection } from '../connections.js';
import {
  type DatabaseWriter,
  type SchemaStatements,
  type Statements,
  type TransactionOptions,
  type WriterOptions,
} from '../database.js';
import { WriterLostError, writerExists } from '../database-error.js';
import { takeLock } from './advisory-lock.js';
import { connectionSettings, type DatabaseAccess } from './connection-settings.js';
import { newToken, sessionName } from './session-name.js';
import { WriterSession } from './writer-session.js';

/** Milliseconds to wait for the lock of a killed process, or of one in graceful shutdown. */
const patience = 3_000;

export interface ServerWriterParts {
  readonly access: DatabaseAccess;
  readonly schema: string;
  readonly options: WriterOptions;
  /** Called when the writer is closed: another one may be opened in this process. */
  readonly closed: () => void;
}

/** The writer of a schema on a server: a session that holds an advisory lock, and a new session after a loss. */
export class ServerWriter implements DatabaseWriter {
  private readonly token = newToken();
  private session: WriterSession | undefined;
  private opening: Promise<WriterSession> | undefined;
  private isClosed = false;

  constructor(private readonly parts: ServerWriterParts) {}

  get schema(): string {
    return this.parts.schema;
  }

  get isHeld(): boolean {
    return this.session?.isHeld ?? false;
  }

  async query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.current()).query<Row>(name, text, values);
  }

  async transaction<T>(run: (statements: Statements) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return (await this.current()).transaction(run, options);
  }

  term(): Promise<SchemaStatements> {
    return this.current();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.opening?.catch(() => undefined);
    await this.session?.close();
    this.parts.closed();
  }

  /** Concurrent callers share the session that is being opened, or its failure. */
  private async current(): Promise<WriterSession> {
    if (this.session?.isHeld) return this.session;
    if (this.isClosed) throw new WriterLostError(new Error('the writer is closed'));
    this.opening ??= this.openSession().finally(() => (this.opening = undefined));
    return this.opening;
  }

  private async openSession(): Promise<WriterSession> {
    const { access, schema, options } = this.parts;
    const settings = connectionSettings(access, sessionName(options.holder, this.token));
    const client = new pg.Client(settings);
    // Until the session listens: a connection may break immediately.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await takeLock(client, {
        purpose: 'writer',
        schema,
        token: this.token,
        patience,
        refused: (holder, since) => writerExists(schema, holder, since),
      });
    } catch (error) {
      breakConnection(client);
      throw error;
    }
    this.session = new WriterSession(client, schema, options.onLost);
    return this.session;
  }
}

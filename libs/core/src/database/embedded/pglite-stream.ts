import { EventEmitter } from 'node:events';
import { type PgliteEngine } from './pglite-engine.js';

/** AuthenticationOk, then ReadyForQuery (idle): the response of a server to an accepted start-up message. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
const terminate = 0x58;
const startup = 0x00;

/** A Query message of the wire protocol. */
const simpleQuery = (text: string): Buffer => {
  const message = Buffer.alloc(6 + Buffer.byteLength(text));
  message.write('Q', 0);
  message.writeInt32BE(message.length - 1, 1);
  message.write(text, 5);
  return message;
};

/**
 * The `stream` of a node-postgres client whose server is a PGlite in this process: PostgreSQL's wire protocol without a
 * socket. The messages that the client writes between cork and uncork (parse, bind, describe, execute, sync) are one
 * call into the database. That takes a quarter of the time of one call per message.
 */
export class PgliteStream extends EventEmitter {
  readonly writable = true;
  private corked = false;
  private collected: Buffer[] = [];

  constructor(private readonly engine: PgliteEngine) {
    super();
  }

  connect(): this {
    setImmediate(() => this.emit('connect'));
    return this;
  }

  write(message: Buffer, written?: () => void): boolean {
    this.collected.push(message);
    if (!this.corked) this.send();
    if (written) setImmediate(written);
    return true;
  }

  cork(): void {
    this.corked = true;
  }

  uncork(): void {
    this.corked = false;
    if (this.collected.length > 0) this.send();
  }

  end(): void {
    setImmediate(() => this.emit('close'));
  }

  destroy(error?: Error): void {
    setImmediate(() => {
      if (error) this.emit('error', error);
      this.emit('close');
    });
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  private send(): void {
    const message = this.collected.length === 1 ? this.collected[0]! : Buffer.concat(this.collected);
    this.collected = [];
    if (message[0] === terminate) return;
    const answers = message[0] === startup ? this.startSession() : this.engine.exchange(message);
    answers.then(
      (data) => this.emit('data', data),
      (error: unknown) => this.emit('error', error),
    );
  }

  /** PGlite has a single session. Resets the state that the previous client left in it (a transaction, statements). */
  private async startSession(): Promise<Buffer> {
    await this.engine.exchange(simpleQuery('ROLLBACK'));
    await this.engine.exchange(simpleQuery('DISCARD ALL'));
    return welcome;
  }
}

import { EventEmitter } from 'node:events';
import { type PGlite } from '@electric-sql/pglite';

/** AuthenticationOk, then ReadyForQuery (idle): what a server says to a start-up message that it accepts. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
const terminate = 0x58;
const startup = 0x00;

/** The message that asks for the statements of a text. */
const simpleQuery = (text: string): Buffer => {
  const message = Buffer.alloc(6 + Buffer.byteLength(text));
  message.write('Q', 0);
  message.writeInt32BE(message.length - 1, 1);
  message.write(text, 5);
  return message;
};

/** Milliseconds of database work after which other events get a turn (architecture, decision 5). */
const turn = 5;

/**
 * The `stream` of a node-postgres client whose server is a PGlite in this process: PostgreSQL's wire protocol without a
 * socket. What the client writes between cork and uncork (parse, bind, describe, execute, sync) is one call into the
 * database, a quarter of the time of a call a message. PGlite resolves in microtasks, which would starve timers and
 * sockets under load, so answers pass through the event loop whenever a turn's worth of work has been done.
 */
export class PgliteStream extends EventEmitter {
  readonly writable = true;
  private corked = false;
  private collected: Buffer[] = [];
  private lastTurn = performance.now();

  constructor(private readonly pglite: PGlite) {
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
    if (message[0] === startup) return this.startSession();
    const answers: Buffer[] = [];
    this.pglite.execProtocolRawStream(message, { onRawData: (data) => void answers.push(Buffer.from(data)) }).then(
      () => this.deliver(answers),
      (error: unknown) => this.emit('error', error),
    );
  }

  /** PGlite has one session for ever: what the client before has left in it (a transaction, statements) is put away. */
  private startSession(): void {
    const ignore = { onRawData: () => undefined };
    const query = (text: string): Promise<void> => this.pglite.execProtocolRawStream(simpleQuery(text), ignore);
    query('ROLLBACK')
      .then(() => query('DISCARD ALL'))
      .then(
        () => this.deliver([welcome]),
        (error: unknown) => this.emit('error', error),
      );
  }

  private deliver(answers: readonly Buffer[]): void {
    const emit = (): void => {
      for (const answer of answers) this.emit('data', answer);
    };
    if (performance.now() - this.lastTurn < turn) return emit();
    setImmediate(() => {
      this.lastTurn = performance.now();
      emit();
    });
  }
}

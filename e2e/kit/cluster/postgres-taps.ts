import { type Step, type Tap } from './proxy-channel.js';

/** A statement that a client sends: the text of a simple query, or of the prepared one that it executes. */
export interface SeenStatement {
  readonly text: string;
  readonly inTransaction: boolean;
}

/** Where a statement's connection is cut: before it reaches the server, or once it is done and nobody has learned it. */
export type CutSide = 'before' | 'after';

/** Decides over each statement of all connections of a proxy. */
export type StatementJudge = (statement: SeenStatement) => CutSide | undefined;

/** COMMIT, and what commits by itself: a writing statement outside of a transaction, a call of a schema's function too. */
export const isCommit = ({ text, inTransaction }: SeenStatement): boolean =>
  /^\s*(commit|end)\b/i.test(text) ||
  (!inTransaction && /^\s*(insert|update|delete|with|select\s+"?\w+"?\."?\w+"?\s*\()/i.test(text));

interface Message {
  /** One letter; empty for the first message of a client. */
  readonly type: string;
  readonly body: Buffer;
  /** Places in the buffer that was read. */
  readonly start: number;
  readonly end: number;
}

/** Cuts a direction of a connection to PostgreSQL into messages (its manual, "Message Formats"). */
class MessageReader {
  buffer: Buffer = Buffer.alloc(0);
  private chunks: Buffer[] = [];
  private size = 0;
  private needed = 1;

  constructor(private hasType: boolean) {}

  /** Whole messages; their places are in `buffer`. What is no whole message yet waits. */
  read(chunk: Buffer): Message[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size < this.needed) return [];
    this.buffer = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    const messages: Message[] = [];
    let at = 0;
    for (;;) {
      const head = this.hasType ? 1 : 0;
      const rest = this.buffer.length - at;
      this.needed = rest < head + 4 ? head + 4 : head + this.buffer.readInt32BE(at + head);
      if (rest < this.needed) break;
      const end = at + this.needed;
      const type = this.hasType ? String.fromCharCode(this.buffer[at]!) : '';
      messages.push({ type, body: this.buffer.subarray(at + head + 4, end), start: at, end });
      this.hasType = true;
      at = end;
    }
    this.chunks = at < this.buffer.length ? [this.buffer.subarray(at)] : [];
    this.size = this.buffer.length - at;
    return messages;
  }
}

/** The first texts of a message, each of which ends with a zero: what follows them may be megabytes of values. */
const textsOf = (body: Buffer, count: number): string[] => {
  const texts: string[] = [];
  for (let at = 0; texts.length < count;) {
    const end = body.indexOf(0, at);
    if (end === -1) break;
    texts.push(body.toString('utf8', at, end));
    at = end + 1;
  }
  return texts;
};

const encryptionRequests = new Set([80877103, 80877104]);

/**
 * Both directions of one connection to PostgreSQL: knows which statements are sent and when they are answered. A
 * connection that asks for encryption passes unseen.
 */
export class PostgresTaps {
  private readonly texts = new Map<string, string>();
  private readonly portals = new Map<string, string>();
  private isOpaque = false;
  /** Questions that the server ends with ReadyForQuery, and how many it has ended. The greeting is one. */
  private asked = 1;
  private answered = 0;
  private inTransaction = false;
  /** Number of the answer to withhold, until its end shows whether the statement was done. */
  private withheld: { readonly answer: number; readonly parts: Buffer[]; failed: boolean } | undefined;

  constructor(private readonly judge: StatementJudge) {}

  readonly client: Tap = {
    push: (chunk) => {
      if (this.isOpaque) return [{ bytes: chunk }];
      const messages = this.fromClient.read(chunk);
      const steps = this.passClient(messages);
      return this.isOpaque ? [{ bytes: this.fromClient.buffer }] : steps;
    },
  };
  readonly server: Tap = {
    push: (chunk) => (this.isOpaque ? [{ bytes: chunk }] : this.passServer(this.fromServer.read(chunk))),
  };
  private readonly fromClient = new MessageReader(false);
  private readonly fromServer = new MessageReader(true);

  private passClient(messages: readonly Message[]): readonly Step[] {
    for (const message of messages) {
      const statement = this.learn(message);
      const side = statement && this.judge(statement);
      if (side === 'before') {
        const earlier = this.fromClient.buffer.subarray(messages[0]!.start, message.start);
        return [...(earlier.length > 0 ? [{ bytes: earlier }] : []), { cut: 'cutBefore' }];
      }
      if (side === 'after') this.withheld ??= { answer: this.asked + 1, parts: [], failed: false };
      if (message.type === 'Q' || message.type === 'S') this.asked += 1;
    }
    return this.span(this.fromClient.buffer, messages);
  }

  private passServer(messages: readonly Message[]): readonly Step[] {
    if (!this.withheld) {
      messages.forEach((message) => this.countAnswer(message));
      return this.span(this.fromServer.buffer, messages);
    }
    return messages.flatMap((message) => this.passAnswer(message));
  }

  private passAnswer(message: Message): readonly Step[] {
    const bytes = this.fromServer.buffer.subarray(message.start, message.end);
    const { withheld } = this;
    const isOfIt = withheld !== undefined && this.answered === withheld.answer - 1;
    this.countAnswer(message);
    if (!isOfIt) return [{ bytes }];
    withheld.parts.push(bytes);
    if (message.type === 'E') withheld.failed = true;
    if (message.type !== 'Z') return [];
    this.withheld = undefined;
    // A commit that failed is none: its client learns so, and the fault was not hit.
    return withheld.failed ? withheld.parts.map((part) => ({ bytes: part })) : [{ cut: 'cutAfter' }];
  }

  private countAnswer({ type, body }: Message): void {
    if (type !== 'Z') return;
    this.answered += 1;
    this.inTransaction = body.toString('latin1') !== 'I';
  }

  /** What a message tells of statements; the statement, when it runs one. */
  private learn({ type, body }: Message): SeenStatement | undefined {
    const { inTransaction } = this;
    if (type === '' && encryptionRequests.has(body.readInt32BE(0))) this.isOpaque = true;
    if (type === 'P') {
      const [name = '', text = ''] = textsOf(body, 2);
      this.texts.set(name, text);
    }
    if (type === 'B') {
      const [portal = '', name = ''] = textsOf(body, 2);
      this.portals.set(portal, this.texts.get(name) ?? '');
    }
    if (type === 'Q') return { text: textsOf(body, 1)[0] ?? '', inTransaction };
    if (type === 'E') return { text: this.portals.get(textsOf(body, 1)[0] ?? '') ?? '', inTransaction };
    return undefined;
  }

  private span(buffer: Buffer, messages: readonly Message[]): readonly Step[] {
    const [first, last] = [messages[0], messages.at(-1)];
    return first && last ? [{ bytes: buffer.subarray(first.start, last.end) }] : [];
  }
}

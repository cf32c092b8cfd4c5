import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { until } from '../waiting/index.js';

/** An event as a browser's EventSource takes it. */
export interface StreamEvent<Data = unknown> {
  readonly name: string;
  /** Of this event or the last one before it that had an id. */
  readonly lastEventId: string;
  readonly data: Data;
}

/** A client of server-sent events, over a socket of its own. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  /** Milliseconds after which it wants to connect again, as the server asks. */
  retryMs: number | undefined;
  lastEventId = '';
  isEnded = false;
  private rest = '';

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8').on('data', (text: string) => this.read(text));
    response.on('close', () => (this.isEnded = true)).on('error', () => undefined);
  }

  /** Resolves when the headers are there, whatever their status. */
  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const request = get(url, { headers, agent: false }, (response) => resolve(new EventStream(request, response)));
      request.on('error', reject);
    });
  }

  get status(): number {
    return this.response.statusCode!;
  }

  /** The data of all events of a name. */
  of<Data>(name: string): Data[] {
    return this.events.filter((event) => event.name === name).map(({ data }) => data as Data);
  }

  /** Waits until an event of a name has come so often; the data of the last one. */
  async untilCame<Data>(name: string, times = 1, milliseconds?: number): Promise<Data> {
    await until(`${times} times ${name}`, async () => this.of(name).length >= times, milliseconds);
    return this.of<Data>(name)[times - 1]!;
  }

  async untilEnded(): Promise<void> {
    await until('the stream ends', async () => this.isEnded);
  }

  close(): void {
    this.request.destroy();
  }

  private read(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop()!;
    for (const block of blocks) this.take(block);
  }

  private take(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name !== '') fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
    }
    if (fields.has('retry')) this.retryMs = Number(fields.get('retry'));
    this.lastEventId = fields.get('id') ?? this.lastEventId;
    const data = fields.get('data');
    if (data === undefined) return;
    const name = fields.get('event') ?? 'message';
    this.events.push({ name, lastEventId: this.lastEventId, data: JSON.parse(data) as unknown });
  }
}

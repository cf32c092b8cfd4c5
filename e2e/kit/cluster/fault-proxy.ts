import { createServer, type Server, type Socket } from 'node:net';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { freePort } from '@shardnode/core/servers';
import { type MessageFaults, NatsFilter } from './nats-filter.js';
import { type CutSide, isCommit, PostgresTaps, type SeenStatement } from './postgres-taps.js';
import { type ChannelFaults, type Fault, type Hits, type Step, type Tap } from './proxy-channel.js';
import { type Direction, type LinkTaps, ProxyLink } from './proxy-link.js';

export type { Direction } from './proxy-link.js';
export type { Fault, Hits } from './proxy-channel.js';

/** What a proxy understands of the bytes: statements of PostgreSQL, messages of NATS, of others nothing. */
export type ProxyProtocol = 'postgres' | 'nats' | 'redis';

export interface StatementCut {
  readonly side: CutSide;
  /** Which statements count; default: those that commit something. */
  readonly matching?: (statement: SeenStatement) => boolean;
  /** The first one that is cut, among those of all connections from now on; default 1. */
  readonly nth?: number;
  /** How many are cut, one after the other; default 1. */
  readonly times?: number;
}

export interface MessageFaultOptions {
  /** Of the random decisions; default 1. */
  readonly seed?: number;
  /** Subjects that are concerned; default: all, those of answers included. */
  readonly concerns?: (subject: string) => boolean;
}

interface ArmedCut extends Required<StatementCut> {
  seen: number;
}

const noHits = (): Hits => ({
  connections: 0,
  cut: 0,
  blackholed: 0,
  delayed: 0,
  closedAfter: 0,
  cutBefore: 0,
  cutAfter: 0,
  lost: 0,
  repeated: 0,
  reordered: 0,
});

const passing: Tap = { push: (bytes) => [{ bytes }] };

/** Between a process and a server: passes everything on, until it is told to do harm. */
export class FaultProxy {
  /** How often each fault was really felt, since the proxy was opened. */
  readonly hits: Hits = noHits();
  private readonly links = new Set<ProxyLink>();
  private readonly faults: ChannelFaults = { isHeld: false, delayMs: 0 };
  private readonly messages: MessageFaults = {
    lose: 0,
    repeat: 0,
    reorder: 0,
    concerns: () => true,
    random: seededRandom(1),
  };
  private armed: ArmedCut | undefined;
  private counted: { readonly bytes: number; readonly direction: Direction; left: number } | undefined;
  private listener: Server | undefined;

  private constructor(
    readonly name: string,
    readonly port: number,
    private readonly targetPort: number,
    private readonly protocol: ProxyProtocol,
  ) {}

  /** Listens on a free port of loopback. `name` is for people: `group-node-0 to postgres`. */
  static async open(name: string, targetPort: number, protocol: ProxyProtocol): Promise<FaultProxy> {
    const proxy = new FaultProxy(name, await freePort(), targetPort, protocol);
    await proxy.listen();
    return proxy;
  }

  /** Connections that go through it now. */
  get connections(): number {
    return this.links.size;
  }

  /** Ends all connections, and refuses new ones until `heal`. */
  cut(): void {
    this.listener?.close();
    this.listener = undefined;
    this.cutConnections();
  }

  /** Ends all connections; new ones are welcome. */
  cutConnections(): void {
    for (const link of [...this.links]) {
      this.hits.cut += 1;
      link.destroy(true);
    }
  }

  /** Connections stay, and new ones are accepted, but nothing arrives, an end neither. What was sent arrives once it is off. */
  blackhole(on = true): void {
    this.faults.isHeld = on;
    this.flush();
  }

  /** What is sent from now on takes so many milliseconds longer, in each direction. */
  delay(milliseconds: number): void {
    this.faults.delayMs = milliseconds;
  }

  /** Each of the next `times` connections to get there is closed after exactly so many more bytes of a direction. */
  closeAfter(bytes: number, direction: Direction, times = 1): void {
    this.counted = { bytes, direction, left: times };
    this.links.forEach((link) => link.closeAfter(bytes, direction));
  }

  /** PostgreSQL: ends a connection at its COMMIT, or at a statement that commits by itself. */
  cutAtCommit(side: CutSide, times = 1): void {
    this.cutAtStatement({ side, times });
  }

  /** PostgreSQL: ends a connection at a statement. `after`: only when it succeeded; its client never learns that. */
  cutAtStatement({ side, matching = isCommit, nth = 1, times = 1 }: StatementCut): void {
    this.requireProtocol('postgres');
    this.armed = { side, matching, nth, times, seen: 0 };
  }

  /** NATS: each message is lost with this probability, in both directions. */
  lose(probability: number, options: MessageFaultOptions = {}): void {
    this.harmMessages({ lose: probability }, options);
  }

  /** NATS: each message comes twice with this probability. */
  repeat(probability: number, options: MessageFaultOptions = {}): void {
    this.harmMessages({ repeat: probability }, options);
  }

  /** NATS: each message changes places with the next one with this probability. */
  reorder(probability: number, options: MessageFaultOptions = {}): void {
    this.harmMessages({ reorder: probability }, options);
  }

  /** Does no harm any more. What a black hole has held back arrives now. */
  async heal(): Promise<void> {
    this.armed = undefined;
    this.counted = undefined;
    this.links.forEach((link) => {
      link.closeAfter(undefined, 'client');
      link.closeAfter(undefined, 'server');
    });
    Object.assign(this.messages, { lose: 0, repeat: 0, reorder: 0, concerns: () => true });
    this.delay(0);
    if (!this.listener) await this.listen();
    this.blackhole(false);
  }

  /** Ends all connections for good. */
  async close(): Promise<void> {
    const { listener } = this;
    this.listener = undefined;
    const closed = listener && new Promise<void>((resolve) => listener.close(() => resolve()));
    for (const link of [...this.links]) link.destroy(true);
    await closed;
  }

  private flush(): void {
    [...this.links].forEach((link) => link.flush());
  }

  private listen(): Promise<void> {
    const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => this.accept(client));
    return new Promise((resolve, reject) => {
      listener.once('error', reject);
      listener.listen({ host: '127.0.0.1', port: this.port }, () => {
        this.listener = listener;
        resolve();
      });
    });
  }

  private accept(client: Socket): void {
    this.hits.connections += 1;
    if (this.faults.isHeld) this.hits.blackholed += 1;
    const link: ProxyLink = new ProxyLink({
      client,
      targetPort: this.targetPort,
      faults: this.faults,
      hit: (fault) => this.hit(fault),
      taps: (later) => this.tapsOf(later),
      onGone: () => this.links.delete(link),
    });
    this.links.add(link);
    if (this.counted) link.closeAfter(this.counted.bytes, this.counted.direction);
  }

  private hit(fault: Fault): void {
    this.hits[fault] += 1;
    if (fault !== 'closedAfter' || !this.counted || --this.counted.left > 0) return;
    const { direction } = this.counted;
    this.counted = undefined;
    this.links.forEach((link) => link.closeAfter(undefined, direction));
  }

  private tapsOf(later: (direction: Direction, step: Step) => void): LinkTaps {
    if (this.protocol === 'postgres') return new PostgresTaps((statement) => this.judge(statement));
    if (this.protocol === 'redis') return { client: passing, server: passing };
    const filter = (direction: Direction): Tap =>
      new NatsFilter(
        this.messages,
        (fault) => this.hit(fault),
        (step) => later(direction, step),
      );
    return { client: filter('client'), server: filter('server') };
  }

  private judge(statement: SeenStatement): CutSide | undefined {
    const { armed } = this;
    if (!armed?.matching(statement)) return undefined;
    armed.seen += 1;
    if (armed.seen < armed.nth) return undefined;
    if (armed.seen >= armed.nth + armed.times - 1) this.armed = undefined;
    return armed.side;
  }

  private harmMessages(faults: Partial<MessageFaults>, { seed = 1, concerns = () => true }: MessageFaultOptions): void {
    this.requireProtocol('nats');
    Object.assign(this.messages, faults, { concerns, random: seededRandom(seed) });
  }

  private requireProtocol(protocol: ProxyProtocol): void {
    if (this.protocol !== protocol) throw new Error(`${this.name} speaks ${this.protocol}, not ${protocol}`);
  }
}

/** Fails when none of the proxies has felt the fault: such a scenario has proved nothing. Gives how often it was felt. */
export const requireHit = (proxies: FaultProxy | readonly FaultProxy[], fault: Fault): number => {
  const all = proxies instanceof FaultProxy ? [proxies] : proxies;
  const sum = all.reduce((total, { hits }) => total + hits[fault], 0);
  if (sum === 0) throw new Error(`the fault "${fault}" was never hit at ${all.map(({ name }) => name).join(', ')}`);
  return sum;
};

import { performance } from 'node:perf_hooks';

/** Limits of one client while others are there. */
interface ClientShare {
  /** Requests in flight, without patient ones; the others wait. */
  readonly inFlight: number;
  /** Requests that begin in one event-loop tick. */
  readonly perTick: number;
  /** Part of the event loop's time for work beyond `cheapMs`; the rest stays free, because a handler is not interrupted. */
  readonly loopShare: number;
  /** Milliseconds of the event loop that a request may take without counting, as reads do. */
  readonly cheapMs: number;
  /** Milliseconds of the event loop above its share that a client may owe: one expensive request delays none after it. */
  readonly burstMs: number;
  /** Milliseconds of the event loop that a client pays back at most, so that it goes on soon. */
  readonly mostDebtMs: number;
  /** Milliseconds for which another client counts as being there after its last request. */
  readonly othersMs: number;
}

const clientShare: ClientShare = {
  inFlight: 8,
  perTick: 4,
  loopShare: 0.35,
  cheapMs: 0.25,
  burstMs: 50,
  mostDebtMs: 500,
  othersMs: 10_000,
};

/** Times in milliseconds. */
export interface WorkClock {
  now(): number;
  /** Time that the event loop of this process has worked. */
  worked(): number;
}

const systemClock: WorkClock = {
  now: () => performance.now(),
  worked: () => performance.eventLoopUtilization().active,
};

interface PendingRequest {
  readonly work: () => void;
  readonly isPatient: boolean;
}

interface Client {
  readonly name: string;
  inFlight: number;
  /** Those in flight that are patient. */
  patient: number;
  readonly waiting: PendingRequest[];
  /** Requests begun in the event-loop tick number `tick`. */
  begun: number;
  tick: number;
  /** Milliseconds of the event loop above its share, which time pays back. */
  debt: number;
  /** `workPerRequest` and time at which the debt was computed. */
  workSeen: number;
  settledAt: number;
  /** Cancels its next `advance`. */
  cancel: () => void;
}

/**
 * Schedules the requests of a server, so that its clients share it. A client that is alone has no bound. Beside others
 * it has few requests in flight and a part of the event loop, whatever the number of its connections; its other requests
 * wait in their order. Time of the event loop counts for the clients with requests in flight, in proportion to their
 * number.
 */
export class RequestScheduler {
  private readonly clients = new Map<string, Client>();
  private inFlight = 0;
  private workedBefore: number;
  /** Time of the event loop for one request that was in flight from the beginning. */
  private workPerRequest = 0;
  private tick = 0;
  private tickEnds = false;
  private last = { name: '', at: -Infinity };
  /** When another client than the last one was there, monotonic. */
  private othersAt = -Infinity;

  constructor(
    private readonly share: ClientShare = clientShare,
    private readonly clock: WorkClock = systemClock,
  ) {
    this.workedBefore = clock.worked();
  }

  /** Clients with requests, those that owe time, and those that have begun requests in this tick. */
  get clientCount(): number {
    return this.clients.size;
  }

  /**
   * Begins a request of a client now, or later in the order of its requests; `end` is called once after each that has
   * begun, with the same `isPatient`: a patient request mostly waits in a queue that has a bound of its own, and has no
   * bound here.
   */
  begin(name: string, work: () => void, isPatient = false): void {
    this.note(name);
    let client = this.clients.get(name);
    if (!client) this.clients.set(name, (client = this.newClient(name)));
    client.waiting.push({ work, isPatient });
    this.advance(client);
  }

  end(name: string, isPatient = false): void {
    const client = this.clients.get(name)!;
    this.settle(client);
    client.inFlight -= 1;
    if (isPatient) client.patient -= 1;
    this.inFlight -= 1;
    client.debt = Math.max(0, client.debt - this.share.cheapMs);
    this.advance(client);
  }

  private note(name: string): void {
    if (name !== this.last.name) this.othersAt = this.last.at;
    this.last = { name, at: this.clock.now() };
  }

  private isAlone({ name }: Client): boolean {
    const othersAt = name === this.last.name ? this.othersAt : this.last.at;
    return othersAt < this.clock.now() - this.share.othersMs;
  }

  /** Begins the requests that may begin, and comes back for the rest. */
  private advance(client: Client): void {
    this.settle(client);
    while (client.waiting.length > 0 && this.mayBegin(client)) {
      const { work, isPatient } = client.waiting.shift()!;
      client.begun += 1;
      client.inFlight += 1;
      this.inFlight += 1;
      if (isPatient) client.patient += 1;
      work();
    }
    client.cancel();
    if (client.waiting.length > 0) this.comeBack(client);
    else if (client.inFlight > 0) return;
    else if (client.debt > 0) this.advanceAfter(client, client.debt);
    // Requests that have begun and ended count until the end of their tick.
    else if (client.tick === this.tick) this.advanceAfter(client, 0);
    else this.clients.delete(client.name);
  }

  private mayBegin(client: Client): boolean {
    if (client.tick !== this.currentTick()) Object.assign(client, { tick: this.tick, begun: 0 });
    if (this.isAlone(client)) return true;
    const { perTick, burstMs } = this.share;
    return this.isBelowLimit(client) && client.begun < perTick && client.debt <= burstMs;
  }

  private isBelowLimit({ waiting, inFlight, patient }: Client): boolean {
    return waiting[0]!.isPatient || inFlight - patient < this.share.inFlight;
  }

  /** Not for a client with all of its requests in flight: it advances at the end of one. */
  private comeBack(client: Client): void {
    const { burstMs } = this.share;
    if (client.debt > burstMs) this.advanceAfter(client, client.debt - burstMs);
    else if (this.isBelowLimit(client)) this.advanceAfter(client, 0);
  }

  /** In the next event-loop tick, or when time has paid back so much of the debt. */
  private advanceAfter(client: Client, debt: number): void {
    const again = (): void => this.advance(client);
    if (debt > 0) {
      const timer = setTimeout(again, Math.ceil(debt / this.share.loopShare));
      client.cancel = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(again);
      client.cancel = () => clearImmediate(immediate);
    }
  }

  private currentTick(): number {
    if (!this.tickEnds) {
      this.tickEnds = true;
      setImmediate(() => {
        this.tick += 1;
        this.tickEnds = false;
      });
    }
    return this.tick;
  }

  /** Adds the work since the last time to the debt, and takes off the part that time has paid back. */
  private settle(client: Client): void {
    const worked = this.clock.worked();
    if (this.inFlight > 0) this.workPerRequest += (worked - this.workedBefore) / this.inFlight;
    this.workedBefore = worked;
    const now = this.clock.now();
    const own = (this.workPerRequest - client.workSeen) * client.inFlight;
    const debt = client.debt + own - (now - client.settledAt) * this.share.loopShare;
    client.debt = this.isAlone(client) ? 0 : Math.min(this.share.mostDebtMs, Math.max(0, debt));
    client.workSeen = this.workPerRequest;
    client.settledAt = now;
  }

  private newClient(name: string): Client {
    return {
      name,
      inFlight: 0,
      patient: 0,
      waiting: [],
      begun: 0,
      tick: -1,
      debt: 0,
      workSeen: this.workPerRequest,
      settledAt: this.clock.now(),
      cancel: () => undefined,
    };
  }
}

import { type Socket } from 'node:net';

/** What a FaultProxy counts, one for each time that a fault was really felt. */
export type Fault =
  'cut' | 'blackholed' | 'delayed' | 'closedAfter' | 'cutBefore' | 'cutAfter' | 'lost' | 'repeated' | 'reordered';

export type Hits = Record<Fault | 'connections', number>;

/** What happens next to a direction of a connection: some bytes go on, or the connection ends here. */
export type Step = { readonly bytes: Buffer } | { readonly cut: Fault };

/** Looks at the bytes of one direction, and says what goes on. Late steps come through `later`. */
export interface Tap {
  push(bytes: Buffer): readonly Step[];
}

/** The faults of all connections of a proxy that concern single bytes. */
export interface ChannelFaults {
  isHeld: boolean;
  /** Milliseconds. */
  delayMs: number;
}

/** `end`: the source sends no more; `closed`: it is not there any more either. */
type Ending = { readonly ending: 'end' | 'closed' };

type Queued = (Step | Ending) & { readonly due: number };

/** Milliseconds in which what waited at a held connection is read once it is free. */
const afterHold = 50;

/** Bytes; more than this waits in the sender. */
const mostWaiting = 64 * 1024 * 1024;

/** One direction of a connection: what comes from `source` goes to `target` in order, when it is due and nothing holds it. */
export class ProxyChannel {
  private readonly queue: Queued[] = [];
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private isFull = false;
  private wasHeld = false;
  /** When the last hold ended, until the next bytes come. */
  private heldUntil: number | undefined;
  private isOver = false;
  /** Bytes that may still pass before the connection is closed. */
  private left: number | undefined;

  constructor(
    private readonly source: Socket,
    private readonly target: Socket,
    tap: Tap,
    private readonly faults: ChannelFaults,
    private readonly hit: (fault: Fault) => void,
    private readonly cut: (fault: Fault) => void,
  ) {
    source.on('data', (bytes: Buffer) => {
      this.noticeHold();
      tap.push(bytes).forEach((step) => this.add(step));
    });
    source.on('end', () => this.end('end'));
    source.on('close', () => this.end('closed'));
    target.on('drain', () => {
      this.isFull = false;
      this.flush();
    });
  }

  closeAfter(bytes: number | undefined): void {
    this.left = bytes;
  }

  add(step: Step): void {
    this.enqueue(step);
    this.flush();
  }

  /** To be called whenever `faults` have changed. */
  flush(): void {
    clearTimeout(this.timer);
    while (!this.isOver && !this.isFull && !this.faults.isHeld && this.queue.length > 0) {
      const wait = this.queue[0]!.due - performance.now();
      if (wait > 0) {
        this.timer = setTimeout(() => this.flush(), wait);
        break;
      }
      this.send(this.queue.shift()!);
    }
    this.regulate();
  }

  /** Forgets what waits. */
  destroy(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.queue.length = 0;
  }

  private end(ending: Ending['ending']): void {
    if (this.isOver) return;
    this.enqueue({ ending });
    this.flush();
  }

  private enqueue(step: Step | Ending): void {
    const due = Math.max(performance.now() + this.faults.delayMs, this.queue.at(-1)?.due ?? 0);
    if (this.faults.isHeld) this.hit('blackholed');
    else if (this.faults.delayMs > 0) this.hit('delayed');
    if ('bytes' in step) this.waiting += step.bytes.length;
    this.queue.push({ ...step, due });
  }

  private send(item: Queued): void {
    if ('cut' in item) return this.closeWith(item.cut);
    if ('ending' in item) return void (item.ending === 'end' ? this.target.end() : this.target.destroySoon());
    this.waiting -= item.bytes.length;
    if (this.left !== undefined && item.bytes.length >= this.left) {
      const last = item.bytes.subarray(0, this.left);
      this.isOver = true;
      // What is to arrive has to leave this process first.
      this.target.write(last, () => this.closeWith('closedAfter'));
      return;
    }
    if (this.left !== undefined) this.left -= item.bytes.length;
    this.isFull = !this.target.write(item.bytes);
  }

  private closeWith(fault: Fault): void {
    this.isOver = true;
    this.hit(fault);
    this.cut(fault);
  }

  /** Bytes that come as soon as a hold is over have waited for its end: the source felt it. */
  private noticeHold(): void {
    if (this.heldUntil === undefined) return;
    if (performance.now() - this.heldUntil < afterHold) this.hit('blackholed');
    this.heldUntil = undefined;
  }

  /** While held nothing is read: also not that the other side has gone. */
  private regulate(): void {
    if (this.faults.isHeld) this.wasHeld = true;
    else if (this.wasHeld) [this.wasHeld, this.heldUntil] = [false, performance.now()];
    if (this.faults.isHeld || this.waiting > mostWaiting) this.source.pause();
    else this.source.resume();
  }
}

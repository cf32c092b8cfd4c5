export interface QueuedTimer {
  /** Virtual milliseconds. */
  dueAt: number;
  /** Of timers due at the same time the earlier one fires first. */
  readonly order: number;
  readonly action: () => void;
  isCancelled: boolean;
}

const isBefore = (a: QueuedTimer, b: QueuedTimer): boolean =>
  a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);

/** Timers by due time: a binary heap. */
export class TimerQueue {
  private readonly heap: QueuedTimer[] = [];
  private lastOrder = 0;

  add(dueAt: number, action: () => void): QueuedTimer {
    const timer = { dueAt, order: ++this.lastOrder, action, isCancelled: false };
    this.heap.push(timer);
    this.rise(this.heap.length - 1);
    return timer;
  }

  /** The next timer that is not cancelled; it stays in the queue. */
  peek(): QueuedTimer | undefined {
    while (this.heap[0]?.isCancelled) this.take();
    return this.heap[0];
  }

  take(): QueuedTimer | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (last && this.heap.length > 0) {
      this.heap[0] = last;
      this.sink();
    }
    return first;
  }

  clear(): void {
    this.heap.length = 0;
  }

  private rise(start: number): void {
    const { heap } = this;
    for (let at = start; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[parent]!)) return;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  private sink(): void {
    const { heap } = this;
    for (let at = 0; ;) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child]!, heap[first]!)) first = child;
      }
      if (first === at) return;
      [heap[at], heap[first]] = [heap[first]!, heap[at]!];
      at = first;
    }
  }
}

import { Worker } from 'node:worker_threads';

interface PendingRequest<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface OpenThread<Answer> {
  readonly worker: Worker;
  readonly waiting: Map<number, PendingRequest<Answer>>;
}

export interface ThreadParts<Message, Answer> {
  readonly script: URL;
  /** For errors: `a signature worker`. */
  readonly name: string;
  /** Handler of the worker's messages. `settle` returns the caller of a request, once; `worker` is the sender. */
  readonly onMessage: (
    message: Message,
    settle: (id: number) => PendingRequest<Answer> | undefined,
    worker: Worker,
  ) => void;
}

/**
 * One worker thread, started by the first request, so that an unused one costs nothing. Numbers match responses to
 * requests. When the worker dies, pending requests are rejected, and the next request starts a new worker.
 */
export class WorkerThread<Message, Answer> {
  private thread: OpenThread<Answer> | undefined;
  private lastId = 0;
  private closed = false;

  constructor(private readonly parts: ThreadParts<Message, Answer>) {}

  get isClosed(): boolean {
    return this.closed;
  }

  /** @param makeMessage the message to the worker for that number */
  request(makeMessage: (id: number) => unknown): Promise<Answer> {
    if (this.closed) return Promise.reject(new Error(`${this.parts.name} is closed`));
    const { worker, waiting } = (this.thread ??= this.open());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage(makeMessage(id));
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.thread?.worker.terminate();
  }

  private open(): OpenThread<Answer> {
    const { script, name, onMessage } = this.parts;
    const thread: OpenThread<Answer> = { worker: new Worker(script), waiting: new Map() };
    const { worker, waiting } = thread;
    const settle = (id: number): PendingRequest<Answer> | undefined => {
      const pending = waiting.get(id);
      waiting.delete(id);
      return pending;
    };
    const ended = (error: Error): void => {
      if (this.thread === thread) this.thread = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.unref();
    worker.on('message', (message: Message) => onMessage(message, settle, worker));
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error(`${name} has ended`)));
    return thread;
  }
}

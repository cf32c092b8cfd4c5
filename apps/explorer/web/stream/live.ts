import { Connection, type Link, mostWatched, type StreamEvent, type StreamMessage } from './connection.js';
import { type TabMessage } from './shared-worker.js';

export { type Link, type StreamEvent } from './connection.js';

export interface LiveParts {
  /** Events in their order, together those of a moment. */
  readonly apply: (events: readonly StreamEvent[]) => void;
  /** Asks the API what the stream would have told. */
  readonly poll: () => Promise<void>;
  readonly onLink: (link: Link) => void;
  /** Addresses whose events are wanted whatever page is shown, and while none is; fewer than are watched at most. */
  readonly pinned: () => readonly string[];
}

const pollEveryMs = 10_000;
const hiddenUntilClosedMs = 60_000;
/** Collects events while the page is not drawn. */
const hiddenBatchMs = 500;

/** Says to the stream that this tab listens, or no longer. */
type Speak = (message: TabMessage) => void;

/** The stream of all tabs, or one of its own where a browser has no shared workers. */
const openStream = (take: (message: StreamMessage) => void): Speak => {
  if (typeof SharedWorker === 'undefined') {
    const own = new Connection(document.baseURI, take);
    return (message) => (message.kind === 'listen' ? own.open(message.addresses) : own.close());
  }
  const { port } = new SharedWorker(new URL('./shared-worker.ts', import.meta.url), { type: 'module' });
  port.onmessage = ({ data }: MessageEvent<StreamMessage>) => take(data);
  return (message) => port.postMessage(message);
};

/** Follows the network by the stream; by polling while there is none. */
export class Live {
  private readonly speak: Speak;
  private polling: ReturnType<typeof setInterval> | undefined;
  private closing: ReturnType<typeof setTimeout> | undefined;
  private waiting: StreamEvent[] = [];
  /** The newest last. */
  private watched: readonly string[] = [];
  private isListening = false;

  constructor(private readonly parts: LiveParts) {
    this.speak = openStream((message) => (message.name === 'link' ? this.onLink(message.data) : this.take(message)));
    document.addEventListener('visibilitychange', () => this.onVisibility());
    addEventListener('pagehide', () => this.leave());
    addEventListener('pageshow', ({ persisted }) => persisted && this.listen());
    this.listen();
  }

  /** Takes events of an address too, as long as it is among the newest ten. */
  watch(address: string): void {
    if (this.watched.includes(address)) return;
    this.watched = [...this.watched, address].slice(-mostWatched);
    this.listenAgain();
  }

  /** Other addresses are wanted now. */
  listenAgain(): void {
    if (this.isListening) this.listen();
  }

  /** The newest of the visited ones, and all that are pinned. */
  private addresses(): readonly string[] {
    const pinned = this.parts.pinned();
    const visited = this.watched.filter((address) => !pinned.includes(address));
    return [...visited.slice(pinned.length - mostWatched), ...pinned];
  }

  /** Another tab may have opened the stream long ago: what it told is asked for. */
  private listen(): void {
    this.speak({ kind: 'listen', base: document.baseURI, addresses: this.addresses() });
    if (!this.isListening) void this.poll();
    this.isListening = true;
  }

  private leave(): void {
    this.speak({ kind: 'leave' });
    this.isListening = false;
    this.stopPolling();
  }

  private onLink(link: Link): void {
    this.parts.onLink(link);
    if (link !== 'polling') return this.stopPolling();
    if (this.polling !== undefined) return;
    void this.poll();
    this.polling = setInterval(() => void this.poll(), pollEveryMs);
  }

  private async poll(): Promise<void> {
    await this.parts.poll().catch(() => undefined);
  }

  private stopPolling(): void {
    clearInterval(this.polling);
    this.polling = undefined;
  }

  /** All events of a frame are applied at once. */
  private take(event: StreamEvent): void {
    this.waiting.push(event);
    if (this.waiting.length > 1) return;
    const apply = (): void => {
      const events = this.waiting;
      this.waiting = [];
      if (events.length > 0) this.parts.apply(events);
    };
    if (document.hidden) setTimeout(apply, hiddenBatchMs);
    else requestAnimationFrame(apply);
  }

  private onVisibility(): void {
    clearTimeout(this.closing);
    if (document.hidden && this.parts.pinned().length === 0)
      this.closing = setTimeout(() => this.leave(), hiddenUntilClosedMs);
    else if (!document.hidden && !this.isListening) this.listen();
  }
}

import { type ApiFailure } from './api.js';
import { Connection, type Link, mostWatched, silence, type StreamEvent, type StreamMessage } from './connection.js';
import { type TabMessage } from './shared-worker.js';

export { type Link, type StreamEvent } from './connection.js';

/** How the page stands to the service. */
export type LinkState =
  | { readonly link: Link }
  /** It does not answer. */
  | { readonly link: 'away'; /** Milliseconds since 1970. */ readonly nextTry: number };

export interface LiveParts {
  /** Events in their order, together those of a moment. */
  readonly apply: (events: readonly StreamEvent[]) => void;
  /** Asks the API what the stream would have told. */
  readonly poll: () => Promise<void>;
  readonly onLink: (link: LinkState) => void;
  /** Addresses whose events are wanted whatever page is shown, and while none is; fewer than are watched at most. */
  readonly pinned: () => readonly string[];
}

/** Milliseconds from one poll to the next; of a service that is away shorter ones, up to the last. */
const pollEveryMs = 10_000;
const awayEveryMs = [2_000, 4_000, 8_000];
const hiddenUntilClosedMs = 60_000;
/** Collects events while the page is not drawn. */
const hiddenBatchMs = 500;

/** Says to the stream that this tab listens, or no longer. */
type Speak = (message: TabMessage) => void;

/** The stream of all tabs, or one of its own where a browser has no shared workers. */
const openStream = (take: (message: StreamMessage) => void): Speak => {
  if (typeof SharedWorker === 'undefined') {
    const own = new Connection(document.baseURI, take);
    return (message) => {
      if (message.kind === 'listen') own.open(message.addresses);
      else if (message.kind === 'check') own.check(message.silentMs);
      else own.close();
    };
  }
  const { port } = new SharedWorker(new URL('./shared-worker.ts', import.meta.url), { type: 'module' });
  port.onmessage = ({ data }: MessageEvent<StreamMessage>) => take(data);
  return (message) => port.postMessage(message);
};

/** Follows the network by the stream; by polling while there is none. */
export class Live {
  private readonly speak: Speak;
  private link: Link = 'connecting';
  private nextPoll: ReturnType<typeof setTimeout> | undefined;
  private polls = 0;
  /** Polls without an answer since the last one with one. */
  private failures = 0;
  private closing: ReturnType<typeof setTimeout> | undefined;
  private waiting: StreamEvent[] = [];
  /** The newest last. */
  private watched: readonly string[] = [];
  private isListening = false;

  constructor(private readonly parts: LiveParts) {
    this.speak = openStream((message) => (message.name === 'link' ? this.onLink(message.data) : this.take(message)));
    document.addEventListener('visibilitychange', () => this.onVisibility());
    addEventListener('online', () => this.doubt(silence.none));
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

  /** Looks whether the stream has told everything, and is opened again if it was silent for so long. */
  private doubt(silentMs: number): void {
    if (!this.isListening) return;
    this.speak({ kind: 'check', silentMs });
    void this.poll();
  }

  private onLink(link: Link): void {
    const isLost = link !== 'live' && this.link === 'live';
    this.link = link;
    if (link === 'live') {
      this.stopPolling();
      this.failures = 0;
    }
    // A service that does not answer is away, whatever the stream tries.
    if (this.failures === 0) this.parts.onLink({ link });
    if (isLost || (link === 'polling' && this.nextPoll === undefined)) void this.poll();
  }

  /** Asks, and again and again while there is no stream. */
  private async poll(): Promise<void> {
    this.stopPolling();
    const [poll, began] = [this.polls, Date.now()];
    const isAnswered = await this.parts.poll().then(
      () => true,
      // It answers that this is too often.
      ({ status }: ApiFailure) => status === 429,
    );
    if (poll !== this.polls) return;
    const wasAway = this.failures > 0;
    this.failures = isAnswered ? 0 : this.failures + 1;
    // The stream may say that it is live: this is no answer.
    if (!isAnswered && this.link === 'live') this.speak({ kind: 'check', silentMs: silence.none });
    if (this.link === 'live') return;
    const waitMs = isAnswered ? pollEveryMs : awayEveryMs[Math.min(this.failures, awayEveryMs.length) - 1]!;
    const nextTry = Math.max(began + waitMs, Date.now());
    this.nextPoll = setTimeout(() => void this.poll(), nextTry - Date.now());
    this.parts.onLink(isAnswered ? { link: this.link } : { link: 'away', nextTry });
    if (isAnswered && wasAway) this.speak({ kind: 'check', silentMs: silence.late });
  }

  private stopPolling(): void {
    this.polls += 1;
    clearTimeout(this.nextPoll);
    this.nextPoll = undefined;
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
    else if (!document.hidden) this.doubt(silence.late);
  }
}

import { Connection, mostWatched, type StreamMessage } from './connection.js';

/** What a tab says: it listens, with the addresses that it watches, doubts a connection that is silent, or listens no longer. */
export type TabMessage =
  | { readonly kind: 'listen'; readonly base: string; readonly addresses: readonly string[] }
  | { readonly kind: 'check'; readonly silentMs: number }
  | { readonly kind: 'leave' };

/** The listening tabs and what they watch, the newest last. */
const tabs = new Map<MessagePort, readonly string[]>();
let connection: Connection | undefined;

const tellAll = (message: StreamMessage): void => {
  for (const port of tabs.keys()) port.postMessage(message);
};

const take = (port: MessagePort, message: TabMessage): void => {
  if (message.kind === 'check') return connection?.check(message.silentMs);
  tabs.delete(port);
  if (message.kind === 'listen') {
    tabs.set(port, message.addresses);
    connection ??= new Connection(message.base, tellAll);
    port.postMessage({ name: 'link', data: connection.link } satisfies StreamMessage);
  }
  if (tabs.size === 0) connection?.close();
  else connection!.open([...new Set([...tabs.values()].flat())].slice(-mostWatched));
};

/** One stream for all tabs of a browser: it has few connections to a server. */
addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  port!.onmessage = ({ data }: MessageEvent<TabMessage>) => take(port!, data);
});

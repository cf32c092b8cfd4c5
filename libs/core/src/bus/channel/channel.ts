/**
 * A line between two threads or processes: it delivers messages in their order, until one side ends. Messages are what
 * the structured clone algorithm carries.
 */
export interface Channel {
  /** Sends a message; after the end nothing happens. `bytes`: its size, for `bytesWaiting`. */
  send(message: unknown, bytes: number): void;
  /** Bytes that the other side has not taken yet. */
  readonly bytesWaiting: number;
  /** Called once, before the first message is awaited. `ended`: the other side is gone. */
  listen(received: (message: unknown) => void, ended: () => void): void;
}

/** The part of `process`, and of a child process, that a channel needs; both with `serialization: 'advanced'`. */
export interface ProcessEnd {
  readonly connected: boolean;
  send?(message: object, handle: undefined, options: undefined, sent: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

/** The channel between a process and the one that it has started (`stdio` with `ipc`, `serialization: 'advanced'`). */
export const processChannel = (end: ProcessEnd): Channel => {
  let bytesWaiting = 0;
  return {
    get bytesWaiting() {
      return bytesWaiting;
    },
    send: (message, bytes) => {
      if (!end.connected) return;
      bytesWaiting += bytes;
      // An error means that the other side has ended, which `disconnect` reports.
      end.send?.(message as object, undefined, undefined, () => {
        bytesWaiting -= bytes;
      });
    },
    listen: (received, ended) => {
      end.on('message', received);
      end.on('disconnect', ended);
    },
  };
};

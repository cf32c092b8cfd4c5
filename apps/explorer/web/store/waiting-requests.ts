import { type ApiFailure } from '../stream/api.js';

/** Requests that the service asked to wait with, and when each is sent again. */
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export const isWaiting = (path: string): boolean => timers.has(path);

/** Ends the wait of a request, because it is sent now. */
export const endWait = (path: string): void => {
  clearTimeout(timers.get(path));
  timers.delete(path);
};

/** Sends a request again when the service allows it, if its failure says when. */
export const sendLater = (path: string, { retryAfterMs }: ApiFailure, send: () => void): void => {
  if (retryAfterMs === undefined) return;
  endWait(path);
  timers.set(path, setTimeout(send, retryAfterMs));
};

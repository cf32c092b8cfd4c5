import { createServer } from 'node:net';
import { type HttpSettings } from './settings.js';

/** Whether nobody listens there now; another one may a moment later. */
const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/** Listens on the port of the settings, unless they say that it does not; with `orAnyPort` on a free one when that is taken. */
export const listenOn = async (
  { host, port, orAnyPort = false, listens = true }: Pick<HttpSettings, 'host' | 'port' | 'orAnyPort' | 'listens'>,
  listen: (port: number, host: string) => Promise<unknown>,
): Promise<void> => {
  if (!listens) return;
  // Asked first, because the framework logs a failure as an error.
  const chosen = port === 0 || !orAnyPort || (await isFree(host, port)) ? port : 0;
  try {
    await listen(chosen, host);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!orAnyPort || !isTaken) throw error;
    await listen(0, host);
  }
};

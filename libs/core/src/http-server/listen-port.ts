import { createServer } from 'node:net';
import { type HttpSettings } from './settings.js';

/** Whether the port is free now; it may be taken a moment later. */
const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/**
 * Listens on the port of the settings, unless `listens` is false. With `orAnyPort` on a free port if that one is taken.
 */
export const listenOn = async (
  { host, port, orAnyPort = false, listens = true }: Pick<HttpSettings, 'host' | 'port' | 'orAnyPort' | 'listens'>,
  listen: (port: number, host: string) => Promise<unknown>,
): Promise<void> => {
  if (!listens) return;
  // Checked first, because the framework logs a failure as an error.
  const chosen = port === 0 || !orAnyPort || (await isFree(host, port)) ? port : 0;
  try {
    await listen(chosen, host);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!orAnyPort || !isTaken) throw error;
    await listen(0, host);
  }
};

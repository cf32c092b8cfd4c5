import { createServer } from 'node:net';

/**
 * Fails, as listening itself would, when the port is taken: asked first, so that nobody waits for a database only to
 * learn it.
 */
export const checkPortIsFree = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    if (port === 0) return resolve();
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });

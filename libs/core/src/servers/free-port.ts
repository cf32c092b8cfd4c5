import { createServer } from 'node:net';

/** Above it the system takes ports for outgoing connections, which may grab one between two starts of a server. */
const firstEphemeralPort = 32_768;
const firstPort = 15_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

const handedOut = new Set<number>();
// Processes that look for ports at the same time begin at different places.
let next = firstPort + ((process.pid * 37) % (firstEphemeralPort - firstPort));

/** A loopback port that nobody listens on now, below those of outgoing connections; never the same one twice. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < firstEphemeralPort - firstPort; tries++) {
    const port = next;
    next = next + 1 < firstEphemeralPort ? next + 1 : firstPort;
    if (handedOut.has(port)) continue;
    if (!(await isFree(port))) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error('this machine has no free port');
};

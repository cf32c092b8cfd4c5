import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, statSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Ports from here on are used for outgoing connections, which may take one between two starts of a server. */
const firstEphemeralPort = 32_768;
const firstPort = 15_000;

/** Shared folder in which processes of this machine reserve ports that they may not have opened yet. */
const reservations = join(tmpdir(), 'shardnode-ports');
/** Milliseconds after which the reservation of an unused port expires. */
const reservedFor = 15 * 60_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** False if the port is reserved already, by this or another process. */
const reserve = (port: number): boolean => {
  const file = join(reservations, String(port));
  try {
    mkdirSync(reservations, { recursive: true });
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    // The folder belongs to another user: no reservation is possible.
    if (codeOf(error) !== 'EEXIST') return true;
  }
  try {
    if (Date.now() - statSync(file).mtimeMs < reservedFor) return false;
    utimesSync(file, new Date(), new Date());
    return true;
  } catch {
    return true;
  }
};

/** A free loopback port below those of outgoing connections; not one that was reserved a moment ago. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < firstEphemeralPort - firstPort; tries++) {
    const port = randomInt(firstPort, firstEphemeralPort);
    if ((await isFree(port)) && reserve(port)) return port;
  }
  throw new Error('this machine has no free port');
};

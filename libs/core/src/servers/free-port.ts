import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, statSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Above it the system takes ports for outgoing connections, which may grab one between two starts of a server. */
const firstEphemeralPort = 32_768;
const firstPort = 15_000;

/** Where processes of this machine tell each other which ports they have taken and perhaps not opened yet. */
const reservations = join(tmpdir(), 'shardnode-ports');
/** Milliseconds after which a port that nobody listens on may be another's. */
const reservedFor = 15 * 60_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** False when another one has it, of this process or not. */
const reserve = (port: number): boolean => {
  const file = join(reservations, String(port));
  try {
    mkdirSync(reservations, { recursive: true });
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    // Another user's folder: then nobody can be told.
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

/** A loopback port that nobody listens on now, below those of outgoing connections; not one that was given a moment ago. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < firstEphemeralPort - firstPort; tries++) {
    const port = randomInt(firstPort, firstEphemeralPort);
    if ((await isFree(port)) && reserve(port)) return port;
  }
  throw new Error('this machine has no free port');
};

import { createServer, type AddressInfo } from 'node:net';
import { ConfigurationError } from '@shardnode/core/configuration';
import { authorityOf } from '@shardnode/core/hosts';
import { type HealthPorts } from './health-ports.js';

/** The port, or a free one in place of 0: for an address that is announced before anything listens there. */
export const announcedPort = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    if (port !== 0) return resolve(port);
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host, port: 0 }, () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });

/** Fails when the port is in use, as listening itself would. Checked first, so that no database is opened in vain. */
export const checkPortIsFree = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    if (port === 0) return resolve();
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });

/** Throws ConfigurationError when the explorer's port is in use. */
export const checkExplorerPort = async (
  host: string,
  settings: { readonly EXPLORER: 'on' | 'off'; readonly EXPLORER_PORT: number },
): Promise<void> => {
  const { EXPLORER: explorer, EXPLORER_PORT: port } = settings;
  if (explorer === 'off') return;
  try {
    await checkPortIsFree(host, port);
  } catch {
    throw new ConfigurationError([
      `EXPLORER_PORT must be a free port, and ${authorityOf(host, port)} is taken; choose another, or leave the explorer out with EXPLORER=off.`,
    ]);
  }
};

/** Throws ConfigurationError when a requested port is in use. */
export const checkHealthPorts = async (host: string, { ports, orAnyPort }: HealthPorts): Promise<void> => {
  if (orAnyPort) return;
  for (const port of ports) {
    try {
      await checkPortIsFree(host, port);
    } catch {
      throw new ConfigurationError([
        `HEALTH_PORT must be the first of ${ports.length} free ports, and ${authorityOf(host, port)} is taken; choose another, or 0 for free ones.`,
      ]);
    }
  }
};

/** The requested ports; free ones in place of 0, and of ports in use where any port is acceptable. */
export const freePorts = async (host: string, { ports, orAnyPort }: HealthPorts): Promise<readonly number[]> => {
  const chosen = ports.map(async (port) => {
    if (port === 0 || !orAnyPort) return port;
    return checkPortIsFree(host, port).then(
      () => port,
      () => 0,
    );
  });
  return Promise.all(chosen);
};

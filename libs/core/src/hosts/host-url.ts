import { isIPv6 } from 'node:net';
import { canonicalHost } from './canonical-host.js';

/** `127.0.0.1:80`, `[::1]:80`: host and port as in an address of the web. */
export const authorityOf = (host: string, port: number): string => {
  const canonical = canonicalHost(host) ?? host;
  return `${isIPv6(canonical) ? `[${canonical}]` : canonical}:${port}`;
};

/** The address of an HTTP server, without a path. */
export const httpUrl = (host: string, port: number): string => `http://${authorityOf(host, port)}`;

const allInterfaces: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The host by which this machine reaches a service that listens on `host`. Node listens on `::` for IPv4 too. */
export const reachableHost = (host: string): string => (allInterfaces.has(host) ? '127.0.0.1' : host);

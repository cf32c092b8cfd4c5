import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Longest application name in PostgreSQL, in bytes. */
const nameLength = 63;

/** Identifies one process (or one writer) among others of the same name: eight hexadecimal digits. */
export const newToken = (): string => randomBytes(4).toString('hex');

const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

/** `group-node-0, process 4711 on host-a #1f2e3d4c`: name of a session in pg_stat_activity; at most 63 bytes. */
export const sessionName = (holder: string, token: string): string => {
  const mark = ` #${token}`;
  return printable(holder).slice(0, nameLength - mark.length) + mark;
};

/** Name of this process as a holder of a writer's lock and in its session names. */
export const processHolder = (applicationName: string): string =>
  `${applicationName}, process ${process.pid} on ${hostname()}`;

/** The holder in the name of one of our sessions; other names unchanged. */
export const holderOf = (name: string): string => name.replace(/ #[0-9a-f]{8}$/, '');

/** Whether the session has the token. */
export const isNamed = (name: string, token: string): boolean => name.endsWith(` #${token}`);

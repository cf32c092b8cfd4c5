import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Bytes that PostgreSQL keeps of an application's name. */
const nameLength = 63;

/** What tells one process (or one writer) from another that looks the same: eight hexadecimal digits. */
export const newToken = (): string => randomBytes(4).toString('hex');

const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

/** `group-node-0, process 4711 on host-a #1f2e3d4c`: what a session is called in pg_stat_activity; at most 63 bytes. */
export const sessionName = (holder: string, token: string): string => {
  const mark = ` #${token}`;
  return printable(holder).slice(0, nameLength - mark.length) + mark;
};

/** Who this process is, as the holder of a writer's lock and in the names of its sessions. */
export const processHolder = (applicationName: string): string =>
  `${applicationName}, process ${process.pid} on ${hostname()}`;

/** The holder in the name of a session of ours; another name as it is. */
export const holderOf = (name: string): string => name.replace(/ #[0-9a-f]{8}$/, '');

/** Whether the session has the token. */
export const isNamed = (name: string, token: string): boolean => name.endsWith(` #${token}`);

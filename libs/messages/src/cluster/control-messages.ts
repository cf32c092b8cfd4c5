import { join, relative, resolve } from 'node:path';
import { z } from 'zod';

/** Requests of the operator to a running cluster. */
export const controlRequest = z.discriminatedUnion('command', [
  z.object({ command: z.enum(['hold', 'release', 'restart']), service: z.string() }),
  /** Changes nothing: the reply contains the services. */
  z.object({ command: z.literal('services') }),
]);

export type ControlRequest = z.output<typeof controlRequest>;

/** The reply to each request, after its completion. */
export const controlReply = z.object({
  isDone: z.boolean(),
  /** A sentence for the operator: the result, or the problem and its remedy. */
  text: z.string(),
  services: z.array(z.object({ name: z.string(), state: z.enum(['running', 'held', 'down']) })),
});

export type ControlReply = z.output<typeof controlReply>;

/** A service of the cluster; `down`: it has ended or is starting; the cluster restarts it automatically. */
export type ServiceState = ControlReply['services'][number];

/** Longest path of a socket on all systems, in bytes. */
export const longestSocketPath = 100;

/** Shortest path to the socket of a data folder, absolute or relative. */
export const controlSocketOf = (folder: string): string => {
  const absolute = join(resolve(folder), 'control.sock');
  const fromHere = relative(process.cwd(), absolute);
  return fromHere.length < absolute.length ? fromHere : absolute;
};

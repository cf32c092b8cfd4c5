import { join, relative, resolve } from 'node:path';
import { z } from 'zod';

/** What the operator may ask of a running cluster. */
export const controlRequest = z.discriminatedUnion('command', [
  z.object({ command: z.enum(['hold', 'release', 'restart']), service: z.string() }),
  /** Nothing is done: the reply has the services. */
  z.object({ command: z.literal('services') }),
]);

export type ControlRequest = z.output<typeof controlRequest>;

/** The answer to each request, once it is carried out. */
export const controlReply = z.object({
  isDone: z.boolean(),
  /** A sentence for the operator: what was done, or why it was not and what to do. */
  text: z.string(),
  services: z.array(z.object({ name: z.string(), state: z.enum(['running', 'held', 'down']) })),
});

export type ControlReply = z.output<typeof controlReply>;

/** A service of the cluster; `down`: it has ended or is starting, and the cluster starts it by itself. */
export type ServiceState = ControlReply['services'][number];

/** Bytes of a path that a socket may have on every system. */
export const longestSocketPath = 100;

/** Path of the socket of a data folder, as short as it can be said from here. */
export const controlSocketOf = (folder: string): string => {
  const absolute = join(resolve(folder), 'control.sock');
  const fromHere = relative(process.cwd(), absolute);
  return fromHere.length < absolute.length ? fromHere : absolute;
};

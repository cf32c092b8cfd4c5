import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment } from '@shardnode/core/configuration';
import { folderHolder } from '@shardnode/core/database';
import { httpUrl } from '@shardnode/core/hosts';
import { z } from 'zod';
import { type CommandInput } from '../command.js';

/** The network of `npm start` that runs on this machine. */
export interface LocalNetwork {
  /** Its data folder. */
  readonly folder: string;
  readonly pid: number;
  readonly url: string;
  readonly explorer: { readonly name: string; readonly host: string; readonly port: number };
}

/** Defaults of `npm start`. */
const usual = { DATA_DIR: 'data/localnet', HOST: '127.0.0.1', PORT: '22973', EXPLORER_PORT: '19091' } as const;
const everyInterface = ['0.0.0.0', '::', '[::]'];
/** Settings that name a network of processes. */
const namesAnother = ['NATS_URL', 'SERVICES'] as const;

const valueOf = (environment: Environment, name: keyof typeof usual): string =>
  (environment[name] ?? '').trim() || usual[name];

/**
 * The network whose `npm start` has locked the data folder, with the settings of that command: DATA_DIR, HOST, PORT.
 * Undefined: none runs there, or the command is about another network.
 */
export const findLocalNetwork = ({
  environment,
  cluster,
}: Pick<CommandInput, 'environment' | 'cluster'>): LocalNetwork | undefined => {
  if (cluster !== undefined || namesAnother.some((name) => (environment[name] ?? '').trim() !== '')) return undefined;
  const folder = valueOf(environment, 'DATA_DIR');
  const pid = existsSync(join(folder, 'database.json')) ? folderHolder(folder) : undefined;
  if (pid === undefined) return undefined;
  const given = valueOf(environment, 'HOST');
  const host = everyInterface.includes(given) ? usual.HOST : given;
  const url = httpUrl(host, Number(valueOf(environment, 'PORT')));
  return {
    folder,
    pid,
    url,
    explorer: { name: 'explorer', host, port: Number(valueOf(environment, 'EXPLORER_PORT')) },
  };
};

const health = z.object({ service: z.string(), ready: z.boolean(), reasons: z.array(z.string()) });

/** Of `GET /health/cluster` (docs/operations.md#health). */
const clusterHealth = z.object({
  networkId: z.number(),
  groups: z.array(
    health.extend({
      group: z.number(),
      heights: z.array(z.array(z.number())).optional(),
      blocksBehind: z.number().optional(),
      mempool: z.object({ size: z.number() }).optional(),
    }),
  ),
  services: z.array(health),
});

export type LocalHealth = z.output<typeof clusterHealth>;

/** Milliseconds. */
const patience = 3_000;

/** How its services are; undefined: what answers at its address is not the network. */
export const readLocalHealth = async ({ url }: LocalNetwork): Promise<LocalHealth | undefined> => {
  try {
    const answer = await fetch(`${url}/health/cluster`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(patience),
    });
    return clusterHealth.safeParse(await answer.json()).data;
  } catch {
    return undefined;
  }
};

/** Which network it is, and where to look. */
export const localNetworkText = ({ folder, pid, url }: LocalNetwork): string =>
  `The network of npm start runs (process ${pid}, ${folder}): ${url}/health/cluster`;

export const howToReach = 'Give this command the settings of that npm start: PORT=… HOST=… DATA_DIR=…';

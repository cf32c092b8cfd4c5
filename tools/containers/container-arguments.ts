import { resolve } from 'node:path';
import { fullName } from './base-images.js';
import { secondsOf, type ComposeFile, type ComposeService } from './compose-file.js';

export interface ContainerPlace {
  readonly projectFolder: string;
  /** Prefix of the names of containers, networks and volumes. */
  readonly project: string;
  readonly file: ComposeFile;
}

export const containerName = (project: string, service: string): string => `${project}-${service}-1`;
export const networkName = (project: string, network: string): string => `${project}_${network}`;
export const volumeName = (project: string, volume: string): string => `${project}_${volume}`;

const each = (option: string, values: readonly string[]): string[] => values.map((value) => `--${option}=${value}`);
const some = (option: string, value: string | number | undefined): string[] =>
  value === undefined ? [] : [`--${option}=${value}`];

/** `credentials:/run/credentials:ro`: a volume of the project, or a file of the project folder. */
const mountOf = ({ projectFolder, project }: ContainerPlace, mount: string): string => {
  const [source, ...rest] = mount.split(':') as [string, ...string[]];
  const place = source.startsWith('.') ? resolve(projectFolder, source) : volumeName(project, source);
  return [place, ...rest].join(':');
};

const networksOf = ({ project }: ContainerPlace, name: string, service: ComposeService): string[] =>
  service.network_mode === 'none'
    ? ['--network=none']
    : service.networks.map((network) => `--network=${networkName(project, network)}:alias=${name}`);

const healthOf = ({ healthcheck }: ComposeService): string[] => {
  if (!healthcheck) return [];
  const [kind, ...rest] = healthcheck.test;
  const command = kind === 'CMD-SHELL' ? rest[0]! : JSON.stringify(rest);
  return [`--health-cmd=${command}`, ...some('health-timeout', healthcheck.timeout)];
};

/** Words of Compose as options of podman, service by service the same. */
const hardeningOf = (service: ComposeService): string[] => [
  // Podman would mount writable memory over /run and /var/tmp too.
  ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
  ...each('cap-drop', service.cap_drop),
  ...each(
    'security-opt',
    service.security_opt.map((option) => option.replace(/:true$/, '')),
  ),
  ...each('tmpfs', service.tmpfs),
  ...some('pids-limit', service.pids_limit),
  ...some('memory', service.mem_limit),
  ...some('shm-size', service.shm_size),
];

const loggingOf = ({ logging }: ComposeService): string[] =>
  logging ? [`--log-driver=${logging.driver}`, ...some('log-opt', sizeOption(logging.options['max-size']))] : [];

const sizeOption = (size: string | undefined): string | undefined =>
  size === undefined ? undefined : `max-size=${size}b`;

export interface RunWish {
  /** Instead of those of the file. */
  readonly command?: readonly string[];
  readonly name?: string;
}

/** The arguments of `podman create` for a service of the file. */
export const createArguments = (place: ContainerPlace, name: string, wish: RunWish = {}): string[] => {
  const service = place.file.services[name]!;
  const grace = service.stop_grace_period;
  return [
    `--name=${wish.name ?? containerName(place.project, name)}`,
    `--hostname=${name}`,
    `--label=shardnode.project=${place.project}`,
    '--pull=never',
    `--user=${service.user}`,
    ...hardeningOf(service),
    ...loggingOf(service),
    ...networksOf(place, name, service),
    ...each('publish', service.ports),
    ...each(
      'volume',
      service.volumes.map((mount) => mountOf(place, mount)),
    ),
    ...each(
      'env',
      Object.entries(service.environment).map(([key, value]) => `${key}=${value}`),
    ),
    ...healthOf(service),
    ...some('restart', service.restart),
    ...some('stop-signal', service.stop_signal),
    ...some('stop-timeout', grace === undefined ? undefined : secondsOf(grace)),
    ...(service.entrypoint ? [`--entrypoint=${JSON.stringify(service.entrypoint)}`] : []),
    fullName(service.image),
    ...(wish.command ?? service.command ?? []),
  ];
};

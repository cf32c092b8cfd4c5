import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ContainersFailure } from './compose-file.js';

/** Required packages of Debian and Ubuntu, by the file that shows their presence. */
const programs: Readonly<Record<string, readonly string[]>> = {
  podman: ['/usr/bin/podman'],
  runc: ['/usr/sbin/runc', '/usr/bin/runc'],
  netavark: ['/usr/lib/podman/netavark', '/usr/libexec/podman/netavark'],
  'aardvark-dns': ['/usr/lib/podman/aardvark-dns', '/usr/libexec/podman/aardvark-dns'],
  iptables: ['/usr/sbin/iptables', '/sbin/iptables'],
  debootstrap: ['/usr/sbin/debootstrap'],
};

const missingPrograms = (): readonly string[] =>
  Object.keys(programs).filter((name) => !programs[name]!.some((file) => existsSync(file)));

/** Why containers cannot run here, with the remedy; undefined if they can. */
export const obstacle = (): string | undefined => {
  const missing = missingPrograms();
  if (missing.length > 0) return `not installed: ${missing.join(', ')} (sudo apt-get install -y ${missing.join(' ')})`;
  if (process.getuid?.() !== 0) return 'only root can make the networks and file systems of these containers (sudo)';
  return undefined;
};

export interface CommandOutcome {
  readonly code: number;
  readonly standardOutput: string;
  readonly standardError: string;
}

export interface RunOptions {
  /** Called with what it writes, as it comes. */
  readonly onText?: (text: string) => void;
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a program to its end, with any exit code. */
export const runProgram = (
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<CommandOutcome> =>
  new Promise((resolve, reject) => {
    const { onText, folder, environment = {} } = options;
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
      ...(folder === undefined ? {} : { cwd: folder }),
    });
    const texts = { standardOutput: '', standardError: '' };
    for (const [stream, name] of [
      [child.stdout, 'standardOutput'],
      [child.stderr, 'standardError'],
    ] as const) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        texts[name] += chunk;
        onText?.(chunk);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, ...texts }));
  });

/** The last output, for an error message. */
export const lastWords = ({ standardError, standardOutput }: CommandOutcome): string =>
  `${standardOutput.slice(-3_000)}\n${standardError.slice(-3_000)}`.trim();

/** How podman is run: without systemd, with networks of its own, and its images apart from those of this machine's user. */
const containersConfiguration = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`;

const storageConfiguration = (folder: string): string => `[storage]
driver = "overlay"
graphroot = "${join(folder, 'storage')}"
runroot = "${join(folder, 'run')}"
`;

export interface Engine {
  /** Where its images, containers and volumes are. */
  readonly folder: string;
  /** Runs podman to its end. @throws ContainersFailure when it fails */
  run(args: readonly string[], options?: RunOptions): Promise<string>;
  /** The same, and the failure is an outcome. */
  try(args: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  /** A JSON answer. */
  json<Answer>(args: readonly string[]): Promise<Answer>;
}

/** @throws ContainersFailure where it cannot run */
export const openEngine = (
  folder = process.env['CONTAINERS_FOLDER'] ?? join(homedir(), '.cache', 'shardnode', 'containers'),
): Engine => {
  const problem = obstacle();
  if (problem !== undefined) throw new ContainersFailure(`Containers cannot be run here: ${problem}`);
  mkdirSync(folder, { recursive: true });
  const configuration = join(folder, 'containers.conf');
  const storage = join(folder, 'storage.conf');
  writeFileSync(configuration, containersConfiguration);
  writeFileSync(storage, storageConfiguration(folder));
  const environment = {
    CONTAINERS_CONF: configuration,
    CONTAINERS_STORAGE_CONF: storage,
    // Podman's health timers need systemd; callers run health checks themselves.
    DISABLE_HC_SYSTEMD: 'true',
  };
  const attempt: Engine['try'] = (args, options = {}) => runProgram('podman', args, { ...options, environment });
  const run: Engine['run'] = async (args, options) => {
    const outcome = await attempt(args, options);
    if (outcome.code !== 0) throw new ContainersFailure(`podman ${args.join(' ')} failed:\n${lastWords(outcome)}`);
    return outcome.standardOutput.trim();
  };
  return {
    folder,
    try: attempt,
    run,
    json: async <Answer>(args: readonly string[]) => JSON.parse(await run(args)) as Answer,
  };
};

/** Whether a Docker engine is available: then these tools are not needed. */
export const hasDocker = (): boolean => spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;

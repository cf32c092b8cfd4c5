import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fullName } from './base-images.js';
import {
  ContainersFailure,
  readComposeFile,
  servicesInOrder,
  type ComposeFile,
  type Variables,
} from './compose-file.js';
import { containerName, createArguments, networkName, volumeName, type ContainerPlace } from './container-arguments.js';
import { type CommandOutcome, type Engine } from './engine.js';

export interface NetworkOptions {
  readonly engine: Engine;
  readonly projectFolder: string;
  /** Default: `name` of the file. */
  readonly project?: string;
  /** For `${NAME}` in the file. */
  readonly variables?: Variables;
  readonly profiles?: readonly string[];
  /** Services that cannot run here. */
  readonly leftOut?: readonly string[];
  readonly print?: (line: string) => void;
}

/** How a container ended. */
export interface ContainerEnd {
  readonly service: string;
  readonly exitCode: number;
  readonly seconds: number;
}

export interface ProcessStatus {
  readonly user: number;
  /** That it has or could get, one bit each. */
  readonly capabilities: bigint;
  readonly noNewPrivileges: boolean;
}

interface Inspected {
  readonly Name: string;
  readonly State: {
    readonly Status: string;
    readonly Running: boolean;
    readonly ExitCode: number;
    readonly Pid: number;
  };
}

const patience = { healthySeconds: 180, askAgainMs: 500 };

/** A network of containers as docker-compose.yml describes it, run by podman. */
export class ContainerNetwork {
  readonly file: ComposeFile;
  readonly project: string;
  private readonly engine: Engine;
  private readonly place: ContainerPlace;
  private readonly print: (line: string) => void;
  private readonly order: readonly string[];

  /** @throws ContainersFailure for a file that is not understood */
  constructor(options: NetworkOptions) {
    const { engine, projectFolder, variables = {}, profiles = [], leftOut = [], print = () => undefined } = options;
    this.engine = engine;
    this.file = readComposeFile(projectFolder, variables);
    this.project = options.project ?? this.file.name;
    this.place = { projectFolder, project: this.project, file: this.file };
    this.print = print;
    this.order = servicesInOrder(this.file, profiles).filter((service) => !leftOut.includes(service));
  }

  /** Services in the order in which they can start. */
  get services(): readonly string[] {
    return this.order;
  }

  nameOf(service: string): string {
    return containerName(this.project, service);
  }

  /** Starts all services, each when its dependencies meet their conditions. */
  async up(): Promise<void> {
    const began = performance.now();
    for (const [name, { internal }] of Object.entries(this.file.networks)) await this.makeNetwork(name, internal);
    const outcomes = new Map<string, Promise<void>>();
    for (const service of this.order) {
      const needed = Object.entries(this.file.services[service]!.depends_on);
      const waits = needed.map(async ([other, { condition }]) => {
        await outcomes.get(other);
        await this.reach(other, condition);
      });
      const started = Promise.all(waits).then(() => this.start(service, began));
      started.catch(() => undefined);
      outcomes.set(service, started);
    }
    await Promise.all(outcomes.values());
    await Promise.all(this.order.map((service) => this.reachEnd(service)));
    this.print(`all services are ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }

  /** Stops running services, each after its dependents, as `docker compose stop` does. Containers and volumes stay. */
  async stop(): Promise<readonly ContainerEnd[]> {
    const ends = new Map<string, Promise<ContainerEnd | undefined>>();
    for (const service of [...this.order].reverse()) {
      const dependents = this.order.filter((other) => this.file.services[other]!.depends_on[service] !== undefined);
      const waits = Promise.all(dependents.map((other) => ends.get(other)));
      ends.set(
        service,
        waits.then(() => this.stopOne(service)),
      );
    }
    const all = await Promise.all(ends.values());
    return all.filter((end) => end !== undefined);
  }

  /** Sends SIGKILL to all running containers at once. */
  async kill(): Promise<void> {
    const names = (await this.containers()).filter(({ State }) => State.Running).map(({ Name }) => Name);
    if (names.length > 0) await this.engine.run(['kill', '--signal=KILL', ...names]);
  }

  /** Stops, and removes containers and networks; with `volumes` the data and the credentials, too. */
  async down(volumes: boolean): Promise<void> {
    await this.stop();
    const names = (await this.containers()).map(({ Name }) => Name);
    if (names.length > 0) await this.engine.run(['rm', '--force', ...names]);
    for (const network of Object.keys(this.file.networks))
      await this.engine.try(['network', 'rm', '--force', networkName(this.project, network)]);
    if (!volumes) return;
    for (const volume of Object.keys(this.file.volumes))
      await this.engine.try(['volume', 'rm', '--force', volumeName(this.project, volume)]);
  }

  /** One more container of a service with other words, to its end: `docker compose run --rm`. */
  async runOnce(service: string, command: readonly string[]): Promise<string> {
    const name = `${this.nameOf(service)}-once`;
    const words = createArguments(this.place, service, { command, name });
    return this.engine.run(['run', '--rm', ...words.filter((word) => !word.startsWith('--restart='))]);
  }

  async signal(service: string, signal: string): Promise<void> {
    await this.engine.run(['kill', `--signal=${signal}`, this.nameOf(service)]);
  }

  /** Output of all containers since their creation. */
  async log(): Promise<string> {
    const made = (await this.containers()).map(({ Name }) => Name);
    const texts = await Promise.all(
      made.map(async (name) => {
        const { standardOutput, standardError } = await this.engine.try(['logs', name]);
        return `--- ${name}\n${standardOutput}${standardError}`;
      }),
    );
    return texts.join('\n');
  }

  /** Runs a program in a container that runs. */
  runInside(service: string, words: readonly string[]): Promise<CommandOutcome> {
    return this.engine.try(['exec', this.nameOf(service), ...words]);
  }

  /** Runs a Node script in the network of a running container, to test what an intruder there can reach. */
  runBeside(service: string, script: string): Promise<string> {
    const place = [`--network=container:${this.nameOf(service)}`, '--entrypoint=["node","-e"]'];
    const image = fullName(this.file.services['operator']!.image);
    return this.engine.run(['run', '--rm', '--pull=never', ...place, image, script]);
  }

  /** Of a container that runs, one for each of its networks. */
  async addressesOf(service: string): Promise<readonly string[]> {
    interface Connected {
      readonly NetworkSettings: { readonly Networks: Readonly<Record<string, { readonly IPAddress: string }>> };
    }
    const [found] = await this.engine.json<Connected[]>(['inspect', '--type=container', this.nameOf(service)]);
    return Object.values(found!.NetworkSettings.Networks).map(({ IPAddress: address }) => address);
  }

  /** Kernel status of a container's first process. */
  async processStatus(service: string): Promise<ProcessStatus> {
    const state = await this.stateOf(service);
    if (!state?.Running) throw new ContainersFailure(`${service} does not run`);
    const text = readFileSync(`/proc/${state.Pid}/status`, 'utf8');
    const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(text)?.[1] ?? '';
    return {
      user: Number(field('Uid')),
      capabilities: BigInt(`0x${field('CapBnd')}`) | BigInt(`0x${field('CapEff')}`),
      noNewPrivileges: field('NoNewPrivs') === '1',
    };
  }

  /** Memory of running containers, as shown by the engine. */
  async memory(): Promise<readonly { readonly name: string; readonly memory: string }[]> {
    const running = (await this.containers()).filter(({ State }) => State.Running).map(({ Name }) => Name);
    if (running.length === 0) return [];
    interface Usage {
      readonly name: string;
      readonly mem_usage: string;
    }
    const usage = await this.engine.json<Usage[]>(['stats', '--no-stream', '--format=json', ...running]);
    return usage.map(({ name, mem_usage: memory }) => ({ name, memory }));
  }

  private async containers(): Promise<readonly Inspected[]> {
    const list = await this.engine.run(['ps', '--all', '--quiet', `--filter=label=shardnode.project=${this.project}`]);
    return list === '' ? [] : this.engine.json<Inspected[]>(['inspect', '--type=container', ...list.split('\n')]);
  }

  private async stateOf(service: string): Promise<Inspected['State'] | undefined> {
    const { code, standardOutput } = await this.engine.try(['inspect', '--type=container', this.nameOf(service)]);
    return code === 0 ? (JSON.parse(standardOutput) as Inspected[])[0]!.State : undefined;
  }

  private async makeNetwork(name: string, internal: boolean): Promise<void> {
    const full = networkName(this.project, name);
    if ((await this.engine.try(['network', 'exists', full])).code === 0) return;
    // As Docker does by itself: containers of one network do not reach those of another.
    const kind = internal ? '--internal' : '--opt=isolate=true';
    await this.engine.run(['network', 'create', kind, full]);
  }

  private async start(service: string, began: number): Promise<void> {
    const { image } = this.file.services[service]!;
    if ((await this.engine.try(['image', 'exists', fullName(image)])).code !== 0)
      throw new ContainersFailure(`The image ${image} of ${service} is missing; make it: npm run containers -- build`);
    const state = await this.stateOf(service);
    if (state?.Running) return;
    // Its data is in volumes: a new container may have other settings.
    if (state) await this.engine.run(['rm', this.nameOf(service)]);
    await this.engine.run(['create', ...createArguments(this.place, service)]);
    await this.engine.run(['start', this.nameOf(service)]);
    this.print(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${service} has started`);
  }

  private isOneShot(service: string): boolean {
    return this.file.services[service]!.restart === 'no';
  }

  private async reachEnd(service: string): Promise<void> {
    await this.reach(service, this.isOneShot(service) ? 'service_completed_successfully' : 'service_healthy');
  }

  private async reach(service: string, condition: string): Promise<void> {
    if (condition === 'service_completed_successfully') return this.waitForEnd(service);
    if (condition === 'service_healthy') return this.waitForHealth(service);
  }

  private async waitForEnd(service: string): Promise<void> {
    const code = Number(await this.engine.run(['wait', this.nameOf(service)]));
    if (code !== 0) throw await this.failure(service, `ended with exit code ${code}`);
  }

  private async waitForHealth(service: string): Promise<void> {
    const deadline = performance.now() + patience.healthySeconds * 1000;
    for (;;) {
      const { code } = await this.engine.try(['healthcheck', 'run', this.nameOf(service)]);
      if (code === 0) return;
      const state = await this.stateOf(service);
      if (!state?.Running) throw await this.failure(service, `ended with exit code ${state?.ExitCode ?? '?'}`);
      if (performance.now() > deadline)
        throw await this.failure(service, `is not healthy after ${patience.healthySeconds} s`);
      await pause(patience.askAgainMs);
    }
  }

  private async failure(service: string, what: string): Promise<ContainersFailure> {
    const { standardOutput, standardError } = await this.engine.try(['logs', '--tail=20', this.nameOf(service)]);
    return new ContainersFailure(`${service} ${what}:\n${standardOutput}${standardError}`.trim());
  }

  private async stopOne(service: string): Promise<ContainerEnd | undefined> {
    const state = await this.stateOf(service);
    if (!state?.Running) return undefined;
    const began = performance.now();
    await this.engine.run(['stop', this.nameOf(service)]);
    const seconds = (performance.now() - began) / 1000;
    const exitCode = (await this.stateOf(service))?.ExitCode ?? -1;
    this.print(`${service} stopped after ${seconds.toFixed(1)} s, exit code ${exitCode}`);
    return { service, exitCode, seconds };
  }
}

import { type BusConnection, type BusNetwork, type Sender } from '@shardnode/core/bus';
import { type Service } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type StoreTimes } from '../memory-store/index.js';
import { type MortalClock, type VirtualTime } from '../virtual-time/index.js';
import { type EventLog } from './event-log.js';

export interface World {
  readonly time: VirtualTime;
  readonly network: BusNetwork;
  readonly log: EventLog;
  readonly logger: Logger;
  /** Of this service alone. */
  readonly random: () => number;
  /** Members whose messages are no longer delivered. */
  readonly dead: Set<Sender>;
}

/** Ports of a service for one life: all of them are removed when the life ends. */
export interface LifePorts {
  readonly network: BusNetwork;
  readonly clock: MortalClock;
  readonly logger: Logger;
  /** Times of its disk. */
  readonly times: StoreTimes;
}

/** Milliseconds of the disk: of a read, until a commit takes effect, and from there to its response. */
const diskTimes = { read: 0.4, write: 3, acknowledge: 1 };

/** One life of a service, from a start to a kill. */
export interface Life<Running> {
  readonly clock: MortalClock;
  /** Resolves at its end, whatever the cause. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  /** Resolves when it serves, or has ended before. */
  started: Promise<void>;
  /** Set once it serves. */
  service?: Running;
  connection?: BusConnection;
  sender?: Sender;
}

const newLife = <Running>(clock: MortalClock): Life<Running> => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { clock, ended, end: () => end(), started: ended };
};

/** A service from the view of its operator: a process that may be killed and restarted, and its committed data. */
export abstract class SimulatedService<Running extends Service = Service> {
  protected life: Life<Running> | undefined;
  commits = 0;
  private skew = 0;

  constructor(
    readonly name: string,
    protected readonly world: World,
  ) {}

  get isUp(): boolean {
    return this.life !== undefined;
  }

  /** Opens the service without starting it. */
  protected abstract open(ports: LifePorts): Promise<Running>;

  /** Runs before a SIGTERM reaches the service; default: nothing. */
  protected async drain(_life: Life<Running>): Promise<void> {
    // Most services wait for their own work.
  }

  /** Milliseconds by which its wall clock is ahead, now and after the next start. */
  setSkew(milliseconds: number): void {
    this.skew = milliseconds;
    if (this.life) this.life.clock.skew = milliseconds;
    this.world.log.add('clock', this.name, milliseconds);
  }

  /** Resolves when it serves, or when it was killed before. Rejects when it cannot start. */
  async start(): Promise<void> {
    const { world } = this;
    world.log.add('start', this.name);
    const life = newLife<Running>(world.time.clock(this.skew));
    this.life = life;
    life.started = Promise.race([this.begin(life), life.ended]);
    await life.started;
    if (this.life === life) world.log.add('started', this.name);
  }

  /** Like kill -9: uncommitted data is lost, and messages that the process was about to send are not sent. */
  kill(): void {
    const { life, world } = this;
    if (!life) return;
    world.log.add('kill', this.name);
    this.life = undefined;
    life.clock.kill();
    if (life.sender) world.dead.add(life.sender);
    void life.connection?.close();
    life.end();
  }

  /** Like SIGTERM: work in flight is finished. */
  async stop(): Promise<void> {
    const { life } = this;
    await life?.started;
    const service = life?.service;
    if (!life || !service || this.life !== life) return;
    this.world.log.add('stop', this.name);
    await Promise.race([this.drain(life).then(() => service.stop()), life.ended]);
    if (this.life === life) this.kill();
  }

  private async begin(life: Life<Running>): Promise<void> {
    const { clock } = life;
    const { logger } = this.world;
    const service = await this.open({ clock, logger, network: this.tapped(life), times: this.timesOf(clock) });
    await service.start();
    life.service = service;
  }

  private timesOf(clock: MortalClock): StoreTimes {
    const { random, log } = this.world;
    const wait = (longest: number) => (): Promise<void> =>
      new Promise((resolve) => void clock.after(random() * longest, resolve));
    return {
      read: wait(diskTimes.read),
      write: wait(diskTimes.write),
      acknowledge: wait(diskTimes.acknowledge),
      written: (what) => {
        this.commits += 1;
        log.add('commit', this.name, what);
      },
    };
  }

  /** The bus, which records the sender and the connection of this life. */
  private tapped(life: Life<Running>): BusNetwork {
    const { network, dead } = this.world;
    return {
      join: async (options) => {
        life.sender = options.sender;
        // Killed while it started.
        if (this.life !== life) dead.add(options.sender);
        return (life.connection = await network.join(options));
      },
      close: () => Promise.resolve(),
    };
  }
}

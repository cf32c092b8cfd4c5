import { type BusConnection, type BusNetwork, type Sender } from '@shardnode/core/bus';
import { sleep } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { seededBytes } from '../seeded-bytes.js';
import { create, type GroupNodeConfig, type GroupStore } from '@shardnode/group-node';
import { MemoryDisk, openMemoryStore } from '../memory-store/index.js';
import { type MortalClock, type VirtualTime } from '../virtual-time/index.js';
import { type EventLog } from './event-log.js';

export interface NodeWorld {
  readonly time: VirtualTime;
  readonly network: BusNetwork;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly random: () => number;
  /** Members whose messages nobody hears any more. */
  readonly dead: Set<Sender>;
}

/** Milliseconds that the disk takes: of a read, until a commit takes effect, from there to its answer. */
const diskTimes = { read: 0.4, write: 3, acknowledge: 1 };

/** Milliseconds of 2,000 tries for a nonce. */
const nonceTurn = 5;

/** One life of a group-node, from a start to a kill. */
interface Life {
  readonly clock: MortalClock;
  readonly store: GroupStore;
  /** Resolves when it ends, however it does. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  connection?: BusConnection;
  sender?: Sender;
}

/** A group-node as its operator sees it: a disk, and a process over it that may be killed and started again. */
export class SimulatedNode {
  readonly disk = new MemoryDisk();
  private life: Life | undefined;
  private service: Awaited<ReturnType<typeof create>> | undefined;
  private starting: Promise<void> = Promise.resolve();
  commits = 0;
  private readonly skew = { milliseconds: 0 };

  constructor(
    private readonly config: GroupNodeConfig,
    private readonly world: NodeWorld,
  ) {}

  get group(): number {
    return this.config.group;
  }

  get isUp(): boolean {
    return this.life !== undefined;
  }

  /** The store of the present life. */
  get store(): GroupStore | undefined {
    return this.life?.store;
  }

  /** Milliseconds that its wall clock is ahead, now and after the next start. */
  setSkew(milliseconds: number): void {
    this.skew.milliseconds = milliseconds;
    if (this.life) this.life.clock.skew = milliseconds;
    this.world.log.add('clock', this.group, milliseconds);
  }

  /** Resolves when it serves, or when it was killed before. Rejects when it cannot start. */
  async start(): Promise<void> {
    const { world, config } = this;
    world.log.add('start', this.group);
    const life: Life = this.begin();
    const { clock, store } = life;
    this.life = life;
    const service = await create(config, {
      network: this.tapped(life),
      store,
      clock,
      logger: world.logger,
      randomBytes: seededBytes(world.random),
      nonceTurn: () => sleep(clock, nonceTurn),
      onFatal: (error) => world.log.add('fatal', this.group, error.message),
    });
    this.service = service;
    this.starting = Promise.race([service.start(), life.ended]);
    await this.starting;
    if (this.life === life) world.log.add('started', this.group);
  }

  /** As by kill -9: what was not committed is gone, nobody hears of what the process was about to do. */
  kill(): void {
    const { life, world } = this;
    if (!life) return;
    world.log.add('kill', this.group);
    this.life = undefined;
    life.clock.kill();
    if (life.sender) world.dead.add(life.sender);
    void life.connection?.close();
    life.end();
  }

  /** As by SIGTERM: what is in flight is finished. */
  async stop(): Promise<void> {
    const { life, service } = this;
    await this.starting;
    if (!life || !service || this.life !== life) return;
    this.world.log.add('stop', this.group);
    await Promise.race([service.stop(), life.ended]);
    if (this.life === life) this.kill();
  }

  private begin(): Life {
    const { time, random, log } = this.world;
    const clock = time.clock(this.skew.milliseconds);
    const wait = (longest: number) => (): Promise<void> =>
      new Promise((resolve) => void clock.after(random() * longest, resolve));
    const store = openMemoryStore({
      disk: this.disk,
      group: this.group,
      groups: this.config.settings.groups,
      times: {
        read: wait(diskTimes.read),
        write: wait(diskTimes.write),
        acknowledge: wait(diskTimes.acknowledge),
        written: (what) => {
          this.commits += 1;
          log.add('commit', this.group, what);
        },
      },
    });
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { clock, store, ended, end: () => end() };
  }

  /** The bus, with the place of this life on it in our hands. */
  private tapped(life: Life): BusNetwork {
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

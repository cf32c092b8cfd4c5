import { seededRandom } from '@shardnode/testing/seeded-random';
import { type SimulatedCluster } from './cluster/simulated-cluster.js';
import { type SimulatedService } from './cluster/simulated-service.js';

/** Virtual milliseconds of a round: some faults, and time to recover from a part of them. */
const roundLength = 10_000;

/** Bounds of the faults. */
const worst = {
  lose: 0.3,
  repeat: 0.5,
  reorder: 0.5,
  delayMs: 400,
  /** Milliseconds by which a clock is ahead or behind; from 5,000 on a node refuses to work (00-decisions, 31). */
  skew: 1_500,
  /** Milliseconds that a killed service stays down, and that a partition lasts. */
  away: 3_000,
  cut: 4_000,
};

export interface FaultCounts {
  kills: number;
  restarts: number;
  partitions: number;
  clockJumps: number;
}

/** The faults of a simulation, all of them derived from a seed. */
export class Faults {
  readonly counts: FaultCounts = { kills: 0, restarts: 0, partitions: 0, clockJumps: 0 };
  private readonly random: () => number;
  private underWay: Promise<void>[] = [];

  constructor(
    private readonly cluster: SimulatedCluster,
    seed: number,
  ) {
    this.random = seededRandom(seed * 7 + 3);
  }

  /** One round; ends when its time is over, its faults may last a little longer. */
  async round(): Promise<void> {
    const { cluster } = this;
    cluster.setChaos({
      lose: this.chance(0.7) ? this.upTo(worst.lose) : 0,
      repeat: this.chance(0.7) ? this.upTo(worst.repeat) : 0,
      reorder: this.chance(0.7) ? this.upTo(worst.reorder) : 0,
      delayMs: 1 + Math.floor(this.upTo(worst.delayMs)),
    });
    const kills = [0.7, 0.3].filter((chance) => this.chance(chance)).length;
    for (let i = 0; i < kills; i++) this.begin(() => this.killSomeone());
    if (this.chance(0.35)) this.begin(() => this.separateSome());
    if (this.chance(0.35)) this.begin(() => this.setSomeClock());
    await cluster.time.sleep(roundLength);
  }

  /** Ends all faults: all services are started, the bus works, the clocks are right. */
  async end(): Promise<void> {
    const { cluster } = this;
    await Promise.all(this.underWay);
    cluster.separate([]);
    cluster.setChaos({});
    for (const service of cluster.services) service.setSkew(0);
  }

  private begin(fault: () => Promise<void>): void {
    this.underWay.push(fault());
  }

  private async killSomeone(): Promise<void> {
    const { cluster } = this;
    await this.pause(roundLength);
    const service = this.someService();
    const isGraceful = this.chance(0.2);
    const away = this.upTo(worst.away);
    if (!service.isUp) return;
    if (isGraceful) {
      this.counts.restarts += 1;
      await service.stop();
    } else {
      this.counts.kills += 1;
      service.kill();
    }
    await cluster.time.sleep(away);
    // It was killed while it stopped, and the killer has started it.
    if (!service.isUp) await service.start();
  }

  private async separateSome(): Promise<void> {
    const { cluster, random } = this;
    await this.pause(roundLength / 2);
    this.counts.partitions += 1;
    const some = cluster.nodes.map((_, group) => group).filter(() => random() < 0.5);
    cluster.separate(some);
    await this.pause(worst.cut);
    cluster.separate([]);
  }

  private async setSomeClock(): Promise<void> {
    await this.pause(roundLength);
    this.counts.clockJumps += 1;
    this.someService().setSkew(Math.round((this.random() * 2 - 1) * worst.skew));
  }

  private someService(): SimulatedService {
    const { services } = this.cluster;
    return services[Math.floor(this.random() * services.length)]!;
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  private upTo(most: number): number {
    return this.random() * most;
  }

  private pause(longest: number): Promise<void> {
    return this.cluster.time.sleep(this.upTo(longest));
  }
}

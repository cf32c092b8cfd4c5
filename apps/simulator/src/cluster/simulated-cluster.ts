import {
  createInProcessNetwork,
  type InProcessNetwork,
  type LoggedMessage,
  type MessageFate,
  type Sender,
  senderName,
} from '@shardnode/core/bus';
import { createLogger, type Logger, silentLogger } from '@shardnode/core/observability';
import { type ChaosSettings, createChaos } from '@shardnode/testing/chaos';
import { permittedClient } from '@shardnode/testing/permitted-client';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type GroupClient } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type VirtualTime } from '../virtual-time/index.js';
import { EventLog } from './event-log.js';
import { gatewayConfiguration, nodeConfiguration, ns, walletConfiguration } from './configurations.js';
import { SimulatedGateway } from './simulated-gateway.js';
import { SimulatedNode } from './simulated-node.js';
import { type SimulatedService, type World } from './simulated-service.js';
import { SimulatedWallets } from './simulated-wallets.js';

export type MessageCounts = Record<MessageFate, number>;

export interface ClusterOptions {
  readonly seed: number;
  readonly settings: NetworkSettings;
  /** False: group-nodes only. */
  readonly withGateway: boolean;
  readonly trace?: string;
}

/** For debugging: the lines of the services, on standard error. */
const loggerOfEnvironment = (): Logger =>
  process.env['SHOW_LOG'] ? createLogger({ level: 'debug', destination: process.stderr }) : silentLogger;

/** The services of a network on one bus, and a client that sends requests there like the gateway. */
export class SimulatedCluster {
  readonly messages: MessageCounts = { sent: 0, delivered: 0, lost: 0, repeated: 0 };
  readonly log: EventLog;
  readonly nodes: readonly SimulatedNode[];
  readonly gateway: SimulatedGateway | undefined;
  /** All of them, group-nodes first. */
  readonly services: readonly SimulatedService[];
  private readonly network: InProcessNetwork;
  private readonly dead = new Set<Sender>();
  private readonly logger = loggerOfEnvironment();
  /** Groups on one side of a partition; empty: there is none. */
  private apart: ReadonlySet<number> = new Set();
  client!: GroupClient;

  constructor(
    readonly time: VirtualTime,
    private readonly options: ClusterOptions,
  ) {
    this.log = new EventLog(() => time.now, options.trace);
    this.network = createInProcessNetwork({ clock: time.clock(), log: (fate, message) => this.saw(fate, message) });
    const { settings, seed } = options;
    const worldOf = (number: number): World => {
      const random = seededRandom(seed * 31 + number);
      return { time, network: this.network, log: this.log, logger: this.logger, dead: this.dead, random };
    };
    this.nodes = Array.from({ length: settings.groups }, (_, group) => {
      return new SimulatedNode(nodeConfiguration(settings, group), worldOf(group + 1));
    });
    const { groups } = settings;
    this.gateway = options.withGateway
      ? new SimulatedGateway(gatewayConfiguration(settings), worldOf(groups + 1))
      : undefined;
    const wallets = this.gateway && new SimulatedWallets(walletConfiguration(settings), worldOf(groups + 2));
    this.services = [...this.nodes, ...(wallets ? [wallets] : []), ...(this.gateway ? [this.gateway] : [])];
  }

  /** @param chaos of the bus from the start on; default: none */
  async start(chaos: Omit<ChaosSettings, 'seed' | 'isCut'> = {}): Promise<void> {
    this.setChaos(chaos);
    await Promise.all(this.services.map((service) => service.start()));
    this.client = await permittedClient(this.network, { ns, groups: this.nodes.length });
    await this.synced();
  }

  /** Sets the faults of messages from now on, besides partitions and killed services. */
  setChaos(chaos: Omit<ChaosSettings, 'seed' | 'isCut'>): void {
    const { lose = 0, repeat = 0, reorder = 0, delayMs = 0 } = chaos;
    this.log.add('chaos', lose, repeat, reorder, delayMs);
    const isCut = (from: Sender, to: Sender): boolean => this.isCut(from, to);
    const seed = this.options.seed + Math.floor(this.time.now);
    this.network.setFaults(createChaos({ ...chaos, isCut, seed }));
  }

  /** Separates some groups from the others; gateway and wallet-service reach all of them. None: the partition ends. */
  separate(groups: readonly number[]): void {
    this.log.add('separate', groups);
    this.apart = new Set(groups);
  }

  /** Waits until every node reports that it is synced; throws after some virtual minutes. */
  async synced(longest = 180_000): Promise<void> {
    const until = this.time.now + longest;
    for (;;) {
      const reasons = await Promise.all(this.nodes.map((_, group) => this.reasonOf(group)));
      const open = reasons.filter((reason) => reason !== undefined);
      if (open.length === 0) return;
      if (this.time.now > until) throw new Error(`the cluster is not synced: ${open.join('; ')}`);
      await this.time.sleep(100);
    }
  }

  private async reasonOf(group: number): Promise<string | undefined> {
    try {
      const { synced, reason } = await this.client.request(group, 'read.node.status', {});
      return synced ? undefined : `group ${group}: ${reason}`;
    } catch (error) {
      return `group ${group}: ${String(error)}`;
    }
  }

  private isCut(from: Sender, to: Sender): boolean {
    if (this.dead.has(from) || this.dead.has(to)) return true;
    if (from.member === undefined || to.member === undefined) return false;
    return this.apart.has(from.member) !== this.apart.has(to.member);
  }

  private saw(fate: MessageFate, { kind, subject, from, to, payload }: LoggedMessage): void {
    this.messages[fate] += 1;
    this.log.add(fate, kind, subject, senderName(from), senderName(to), fate === 'sent' ? payload : '');
  }
}

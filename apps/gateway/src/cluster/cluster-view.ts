import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@shardnode/core/lifecycle';
import { ServiceError } from '@shardnode/core/errors';
import { cachedAnswer } from '@shardnode/core/http-server';
import { type ServiceHealth } from '@shardnode/core/service';
import { GroupClient, type NodeReportReply, type SiblingReport, WalletClient } from '@shardnode/messages';
import { ApiSettings } from '../settings/api-settings.js';

/** A service from the view of the gateway. */
export interface ServiceView {
  readonly service: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  readonly problems?: ServiceHealth['problems'];
  readonly version?: string;
  readonly uptimeSeconds?: number;
}

/** A group-node, with its view of all 16 chains. */
export interface GroupView extends ServiceView {
  readonly group: number;
  /** `heights[from][to]`; `tips` alike: number of tips of each chain. */
  readonly heights?: readonly (readonly number[])[];
  readonly tips?: readonly (readonly number[])[];
  /** Blocks of any chain that another group-node has and this one lacks. */
  readonly blocksBehind?: number;
  readonly mempool?: NodeReportReply['mempool'];
  readonly siblings?: readonly SiblingReport[];
}

export interface ClusterView {
  /** Every service of the cluster responds and is ready. */
  readonly ready: boolean;
  readonly networkId: number;
  /** Time of the response, ISO 8601. */
  readonly at: string;
  readonly groups: readonly GroupView[];
  readonly services: readonly ServiceView[];
}

/** Injects the health that `/health/ready` of this gateway reports, `() => Promise<ServiceHealth>`. */
export const ownHealth = Symbol('health of this gateway');

/** Milliseconds for which a view is cached. */
const ttlMs = 1_000;
/** Milliseconds per service: a dead one must not delay the page. */
const deadlineMs = 1_000;

const reasonOf = (error: unknown): string => (error instanceof ServiceError ? error.detail : 'it does not answer');

const absent = (service: string, error: unknown): ServiceView => ({
  service,
  ready: false,
  reasons: [reasonOf(error)],
});

const present = (
  service: string,
  { ready, reasons, problems, version, uptimeSeconds }: ServiceHealth,
): ServiceView => ({
  service,
  ready,
  reasons,
  problems,
  version,
  uptimeSeconds,
});

const rowsOf = (values: readonly number[], groups: number): number[][] =>
  Array.from({ length: groups }, (_, from) => values.slice(from * groups, (from + 1) * groups));

const groupName = (group: number): string => `group-node-${group}`;

const groupView = (report: NodeReportReply, groups: number, highest: readonly number[]): GroupView => {
  const { group, heights, tips, mempool, siblings, health } = report;
  const known = health ?? { ready: report.synced, reasons: report.reason === undefined ? [] : [report.reason] };
  return {
    service: groupName(group),
    group,
    ...known,
    heights: rowsOf(heights, groups),
    ...(tips && { tips: rowsOf(tips, groups) }),
    blocksBehind: heights.reduce((sum, height, chain) => sum + (highest[chain]! - height), 0),
    ...(mempool && { mempool }),
    ...(siblings && { siblings }),
  };
};

const askGroups = async (client: GroupClient): Promise<GroupView[]> => {
  const { groups } = client;
  const numbers = Array.from({ length: groups }, (_, group) => group);
  const answers = await Promise.allSettled(
    numbers.map((group) => client.request(group, 'read.node.report', {}, { deadlineMs })),
  );
  const reports = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const highest = Array.from({ length: groups * groups }, (_, chain) =>
    Math.max(0, ...reports.map(({ heights }) => heights[chain]!)),
  );
  return answers.map((answer, group) =>
    answer.status === 'fulfilled'
      ? groupView(answer.value, groups, highest)
      : { group, ...absent(groupName(group), answer.reason) },
  );
};

const askWallets = (wallet: WalletClient): Promise<ServiceView> =>
  wallet.request('health', {}, { deadlineMs }).then(
    (health) => present('wallet-service', health),
    (error: unknown) => absent('wallet-service', error),
  );

/** One view of all services, cached for a second. */
@Injectable()
export class ClusterViews {
  /** Never rejects. */
  readonly current: () => Promise<ClusterView>;

  constructor(
    private readonly settings: ApiSettings,
    private readonly groups: GroupClient,
    private readonly wallet: WalletClient,
    private readonly clock: Clock,
    @Inject(ownHealth) private readonly health: () => Promise<ServiceHealth>,
  ) {
    this.current = cachedAnswer(() => this.ask(), { ttlMs: () => ttlMs, now: () => this.clock.monotonic() });
  }

  private async ask(): Promise<ClusterView> {
    const [groups, wallets, own] = await Promise.all([askGroups(this.groups), askWallets(this.wallet), this.health()]);
    const services = [present('gateway', own), wallets];
    return {
      ready: [...groups, ...services].every(({ ready }) => ready),
      networkId: this.settings.network.networkId,
      at: new Date(this.clock.now()).toISOString(),
      groups,
      services,
    };
  }
}

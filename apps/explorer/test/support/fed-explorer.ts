import { createInProcessNetwork, type InProcessNetwork } from '@shardnode/core/bus';
import { type Database } from '@shardnode/core/database';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { livePublisher } from '@shardnode/messages';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import {
  create,
  defaultExplorerChoices,
  type FeedBlock,
  type Index,
  type IndexChange,
  LiveChanges,
  openIndex,
} from '../../src/index.js';

const ns = 'test';

/** The API, page and stream of an explorer without group-nodes: who tests or measures it is its writer. */
export class FedExplorer {
  private constructor(
    private readonly bus: InProcessNetwork,
    private readonly service: RunningService,
    readonly index: Index,
    private readonly changes: LiveChanges,
  ) {}

  static async start(database: Database, settings: NetworkSettings = developmentNetwork): Promise<FedExplorer> {
    const bus = createInProcessNetwork({ clock: systemClock });
    const http = { host: '127.0.0.1', port: 0, accessLog: false };
    const service = await create(
      { ...defaultExplorerChoices, mode: 'reader', ns, network: settings, http },
      { network: bus, database, clock: systemClock, logger: silentLogger },
    );
    await service.start();
    const writer = await bus.join({ sender: { service: 'explorer' }, logger: silentLogger });
    const changes = new LiveChanges('test', livePublisher(writer.bus, ns), systemClock);
    return new FedExplorer(bus, service, openIndex({ database, groups: settings.groups }), changes);
  }

  get url(): string {
    return `http://127.0.0.1:${this.service.port}`;
  }

  /** Stores blocks and then tells the stream. @returns when they were stored, milliseconds since 1970 */
  async add(blocks: readonly FeedBlock[]): Promise<number> {
    const change = await this.index.apply(blocks);
    const stored = Date.now();
    this.tell(change);
    return stored;
  }

  tell(change: IndexChange): void {
    this.changes.blocks(change);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.bus.close();
  }
}

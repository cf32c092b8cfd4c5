import { type BusNetwork } from '@shardnode/core/bus';
import { type Database } from '@shardnode/core/database';
import { systemClock } from '@shardnode/core/lifecycle';
import { createLogger, silentLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { create, defaultExplorerChoices, type ExplorerMode } from '@shardnode/explorer';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';

export interface ExplorerOptions {
  readonly bus: BusNetwork;
  readonly database: Database;
  readonly mode?: ExplorerMode;
  readonly settings?: NetworkSettings;
  readonly resync?: boolean;
  readonly adminToken?: string;
  /** Default: that of the group-nodes in the process of a test. */
  readonly ns?: string;
  /** Default: a free one. */
  readonly port?: number;
}

/** The parts of `/infos/sync` that tests look at. */
export interface SyncForm {
  readonly synced: boolean;
  readonly phase: string;
  readonly unresolvedInputs: number;
  readonly conflictInputs: number;
  readonly verify: string | null;
  readonly chains: readonly {
    readonly chainFrom: number;
    readonly chainTo: number;
    readonly height: number;
    readonly nodeHeight: number | null;
    readonly state: string;
  }[];
}

/** An explorer in the process of the test. */
export class TestExplorer {
  private constructor(private readonly service: RunningService) {}

  static async start(options: ExplorerOptions): Promise<TestExplorer> {
    const { bus, database, mode = 'all', settings = developmentNetwork } = options;
    const { resync = false, ns = 'test', adminToken, port = 0 } = options;
    const logger = process.env['TEST_LOG'] ? createLogger({ level: 'debug' }) : silentLogger;
    const service = await create(
      {
        ...defaultExplorerChoices,
        ns,
        network: settings,
        http: { host: '127.0.0.1', port },
        mode,
        resync,
        adminToken: () => adminToken,
      },
      { network: bus, database, clock: systemClock, logger },
    );
    await service.start().catch(async (error: unknown) => {
      await service.stop();
      throw error;
    });
    return new TestExplorer(service);
  }

  get url(): string {
    return `http://127.0.0.1:${this.service.port}`;
  }

  /** The JSON of an answer, whatever its status. */
  async get<Form>(path: string): Promise<Form> {
    return (await (await fetch(`${this.url}${path}`)).json()) as Form;
  }

  async text(path: string): Promise<string> {
    return (await fetch(`${this.url}${path}`)).text();
  }

  sync(): Promise<SyncForm> {
    return this.get<SyncForm>('/infos/sync');
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}

import { create, defaultExplorerChoices, type ExplorerConfiguration, type ExplorerPorts } from '@shardnode/explorer';
import { type Service } from '@shardnode/core/lifecycle';
import { type NetworkSettings } from '@shardnode/protocol/network';

export interface EmbeddedExplorerOptions extends Omit<ExplorerPorts, 'onFatal'> {
  readonly ns: string;
  readonly settings: NetworkSettings;
  readonly host: string;
  readonly port: number;
  readonly hostNames: readonly string[];
  readonly brand: ExplorerConfiguration['brand'];
  readonly nodeApiUrl: ExplorerConfiguration['nodeApiUrl'];
  readonly diskFolder: string;
}

/** The explorer beside the services of a network, which run without it: its errors are logged, and it stays away. */
export class EmbeddedExplorer implements Service {
  readonly name = 'explorer';
  private service: Awaited<ReturnType<typeof create>> | undefined;
  private isRunning = false;
  /** Why it does not run; undefined while it does. */
  problem: string | undefined;

  constructor(private readonly options: EmbeddedExplorerOptions) {}

  /** Undefined: it does not run. */
  get port(): number | undefined {
    return this.isRunning ? this.service?.port : undefined;
  }

  async start(): Promise<void> {
    const { ns, settings: network, host, port, hostNames, brand, nodeApiUrl, diskFolder, ...ports } = this.options;
    const leave = async (reason: unknown): Promise<void> => {
      this.problem = (reason as Error).message.split('\n', 1)[0]!;
      ports.logger.error({ err: reason }, 'the explorer does not run');
      await this.stop().catch((error: unknown) => ports.logger.error({ err: error }, 'the explorer did not stop'));
    };
    try {
      this.service = await create(
        { ...defaultExplorerChoices, brand, nodeApiUrl, ns, network, http: { host, port, hostNames }, diskFolder },
        { ...ports, onFatal: (error) => void leave(error) },
      );
      await this.service.start();
      this.isRunning = true;
    } catch (error) {
      await leave(error);
    }
  }

  async stop(): Promise<void> {
    const { service } = this;
    this.service = undefined;
    this.isRunning = false;
    await service?.stop();
  }
}

import { Controller, type DynamicModule, Inject, Module } from '@nestjs/common';
import { ConfigurationError } from '@shardnode/core/configuration';
import { authorityOf } from '@shardnode/core/hosts';
import { type Logger } from '@shardnode/core/observability';
import { brandedJson } from '@shardnode/http';
import { type FeedEvents, HandlesFeedEvent } from '@shardnode/messages';
import { storedBlockForm } from '../blockflow/chain-blocks.js';
import { ApiSettings } from '../settings/api-settings.js';
import { PushServer, type PushSettings } from './push-server.js';

const server = Symbol('push server');

/** Sends every block announced by a group-node to the listening clients (protocol 07 §18). */
@Controller()
class BlockPush {
  constructor(
    @Inject(server) private readonly clients: PushServer,
    private readonly settings: ApiSettings,
  ) {}

  @HandlesFeedEvent('feed.block')
  block(announced: FeedEvents['feed.block']): void {
    if (this.clients.clientCount === 0) return;
    const { network, brand } = this.settings;
    const entry = brandedJson(JSON.stringify(storedBlockForm(announced, network.groups)), brand);
    this.clients.send(Buffer.from(`{"method":"block_notify","params":${entry},"jsonrpc":"2.0"}`));
  }
}

@Module({})
class PushModule {}

/** The push as a part of a gateway: providers for its application, and its start and stop. */
export interface Push {
  readonly module: DynamicModule;
  /** Of `/events`, once started; 0 without a push. */
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const noPush: Push = {
  module: { module: PushModule },
  port: 0,
  start: async () => undefined,
  stop: async () => undefined,
};

const refuseTakenPort = (error: unknown, { host, port }: PushSettings): never => {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  throw new ConfigurationError([
    `WS_PORT must be a free port, and ${authorityOf(host, port)} is taken; choose another, or 0.`,
  ]);
};

/** Without settings there is no push. */
export const createPush = (settings: PushSettings | undefined, { logger }: { readonly logger: Logger }): Push => {
  if (!settings) return noPush;
  const clients = new PushServer(settings, logger);
  return {
    module: {
      module: PushModule,
      controllers: [BlockPush],
      providers: [{ provide: server, useValue: clients }],
    },
    get port() {
      return clients.port;
    },
    start: () => clients.start().catch((error: unknown) => refuseTakenPort(error, settings)),
    stop: () => clients.stop(),
  };
};

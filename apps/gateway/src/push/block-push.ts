import { Controller, Inject, type ModuleMetadata } from '@nestjs/common';
import { decodeBlock } from '@shardnode/protocol/block';
import { ConfigurationError } from '@shardnode/core/configuration';
import { type Logger } from '@shardnode/core/observability';
import { blockForm } from '@shardnode/http';
import { type FeedEvents, HandlesFeedEvent } from '@shardnode/messages';
import { type Edge } from '../endpoint/edge.js';
import { PushServer, type PushSettings } from './push-server.js';

const server = Symbol('push server');
const edgeOfPush = Symbol('edge');

/** Hands every block that a group-node tells of to the clients that listen (protocol 07 §18). */
@Controller()
class BlockPush {
  constructor(
    @Inject(server) private readonly clients: PushServer,
    @Inject(edgeOfPush) private readonly edge: Pick<Edge, 'network' | 'forms'>,
  ) {}

  @HandlesFeedEvent('feed.block')
  block({ block, height }: FeedEvents['feed.block']): void {
    if (this.clients.clientCount === 0) return;
    const decoded = decodeBlock(block, this.edge.network.groups, { genesis: 'accepted' });
    const entry = JSON.stringify(blockForm(decoded, height, this.edge.forms));
    this.clients.send(Buffer.from(`{"method":"block_notify","params":${entry},"jsonrpc":"2.0"}`));
  }
}

/** The push as a part of a gateway: what its application has to know, and what must be started and stopped with it. */
export interface Push {
  readonly module: ModuleMetadata;
  /** Of `/events`, once started; 0 without a push. */
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const noPush: Push = { module: {}, port: 0, start: async () => undefined, stop: async () => undefined };

const refuseTakenPort = (error: unknown, { host, port }: PushSettings): never => {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  throw new ConfigurationError([`WS_PORT must be a free port, and ${host}:${port} is taken; choose another, or 0.`]);
};

/** Without settings none. */
export const createPush = (
  settings: PushSettings | undefined,
  { edge, logger }: { readonly edge: Pick<Edge, 'network' | 'forms'>; readonly logger: Logger },
): Push => {
  if (!settings) return noPush;
  const clients = new PushServer(settings, logger);
  return {
    module: {
      controllers: [BlockPush],
      providers: [
        { provide: server, useValue: clients },
        { provide: edgeOfPush, useValue: edge },
      ],
    },
    get port() {
      return clients.port;
    },
    start: () => clients.start().catch((error: unknown) => refuseTakenPort(error, settings)),
    stop: () => clients.stop(),
  };
};

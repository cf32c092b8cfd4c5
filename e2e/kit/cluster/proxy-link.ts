import { Socket } from 'node:net';
import { resetConnection } from '@shardnode/testing/connections';
import { type ChannelFaults, type Fault, ProxyChannel, type Step, type Tap } from './proxy-channel.js';

/** Whose bytes: those of the client on their way to the server, or the answers. */
export type Direction = 'client' | 'server';

export type LinkTaps = Readonly<Record<Direction, Tap>>;

export interface LinkOptions {
  readonly client: Socket;
  readonly targetPort: number;
  readonly faults: ChannelFaults;
  readonly hit: (fault: Fault) => void;
  /** `later`: what a tap lets pass after the bytes that it was shown. */
  readonly taps: (later: (direction: Direction, step: Step) => void) => LinkTaps;
  readonly onGone: () => void;
}

/** One connection through a proxy. While the proxy is a black hole the server does not even hear of it. */
export class ProxyLink {
  private readonly server = new Socket({ allowHalfOpen: true });
  private readonly channels: Readonly<Record<Direction, ProxyChannel>>;
  private isOpen = false;

  constructor(private readonly options: LinkOptions) {
    const { client, faults, hit } = options;
    const taps = options.taps((direction, step) => this.channels[direction].add(step));
    // What is cut is cut hard, but for the bytes that were counted: those arrive.
    const cut = (fault: Fault): void => this.destroy(fault !== 'closedAfter');
    this.channels = {
      client: new ProxyChannel(client, this.server, taps.client, faults, hit, cut),
      server: new ProxyChannel(this.server, client, taps.server, faults, hit, cut),
    };
    for (const socket of [client, this.server]) {
      socket.setNoDelay(true);
      // `close` comes after it, and says enough.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (client.destroyed && this.server.destroyed) options.onGone();
      });
    }
    this.flush();
  }

  closeAfter(bytes: number | undefined, direction: Direction): void {
    this.channels[direction].closeAfter(bytes);
  }

  /** To be called whenever the faults have changed. */
  flush(): void {
    const { faults, targetPort } = this.options;
    if (!this.isOpen && !faults.isHeld) {
      this.isOpen = true;
      this.server.connect({ host: '127.0.0.1', port: targetPort });
    }
    this.channels.client.flush();
    this.channels.server.flush();
  }

  /** Both ends learn it at once; by a reset they lose what they have not read yet. */
  destroy(byReset: boolean): void {
    this.channels.client.destroy();
    this.channels.server.destroy();
    for (const socket of [this.options.client, this.server]) {
      if (byReset) resetConnection(socket);
      else socket.destroy();
    }
    this.options.onGone();
  }
}

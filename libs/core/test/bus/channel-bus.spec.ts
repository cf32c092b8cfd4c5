import { describe, expect, it } from '@jest/globals';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type BusNetwork, type Channel, createInProcessNetwork, openChannelNetwork } from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { describeBusContract } from './bus-contract.js';

const portChannel = (port: MessagePort): Channel => ({
  bytesWaiting: 0,
  send: (message) => port.postMessage(message),
  listen: (received, ended) => {
    port.on('message', received);
    port.on('close', ended);
  },
});

/** Each member of the network is at the far end of a channel of its own. */
const allFar = (): BusNetwork => {
  const network = createInProcessNetwork();
  const ports: MessagePort[] = [];
  return {
    join: (options) => {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1);
      network.serve(portChannel(port1), { sender: options.sender, logger: silentLogger });
      return openChannelNetwork(portChannel(port2)).join(options);
    },
    close: async () => {
      for (const port of ports) port.close();
      await network.close();
    },
  };
};

describeBusContract('channel', async () => allFar());

describe('members of both kinds', () => {
  /** A gateway in the process of the network, and the explorer at the far end of a channel. */
  const open = async () => {
    const network = createInProcessNetwork();
    const { port1, port2 } = new MessageChannel();
    network.serve(portChannel(port1), { sender: { service: 'explorer' }, logger: silentLogger });
    const far = openChannelNetwork(portChannel(port2));
    return { network, far, end: () => port1.close() };
  };

  it('a far service has the name of its channel alone', async () => {
    const { network, far, end } = await open();
    const forged = await far.join({ sender: { service: 'gateway' }, logger: silentLogger });
    const outcome = forged.bus.request('testnet.rpc.x', {}, { deadlineMs: 2_000 });
    await expect(outcome).rejects.toMatchObject({ code: 'SenderNotPermitted' });
    end();
    await network.close();
  });

  it('requests in flight fail when the channel ends, and later ones at once', async () => {
    const { network, far, end } = await open();
    const explorer = await far.join({ sender: { service: 'explorer' }, logger: silentLogger });
    expect(explorer.isConnected).toBe(true);
    network.setReachable(false);
    const waiting = explorer.bus.request('testnet.rpc.x', {}, { deadlineMs: 60_000 });
    end();
    await expect(waiting).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(explorer.bus.request('testnet.rpc.x', {}, { deadlineMs: 60_000 })).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(explorer.isConnected).toBe(false);
    await network.close();
  });
});

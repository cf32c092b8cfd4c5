import { type BusNetwork } from '@shardnode/core/bus';

/** One message as it went over the bus. */
export interface TappedMessage {
  readonly subject: string;
  readonly part: 'request' | 'reply' | 'error' | 'event';
  readonly content: unknown;
}

/** Writes down every message of every member, before the network can lose it. */
export const tappedNetwork = (network: BusNetwork, messages: TappedMessage[]): BusNetwork => ({
  join: async (options) => {
    const connection = await network.join(options);
    const { bus } = connection;
    return {
      ...connection,
      bus: {
        sender: bus.sender,
        request: async (subject, payload, request) => {
          messages.push({ subject, part: 'request', content: payload });
          try {
            const reply = await bus.request(subject, payload, request);
            messages.push({ subject, part: 'reply', content: reply });
            return reply;
          } catch (error) {
            messages.push({ subject, part: 'error', content: error });
            throw error;
          }
        },
        publish: (subject, payload) => {
          messages.push({ subject, part: 'event', content: payload });
          bus.publish(subject, payload);
        },
      },
    };
  },
  close: () => network.close(),
});

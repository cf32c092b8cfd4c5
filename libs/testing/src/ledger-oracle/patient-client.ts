import { setTimeout as pause } from 'node:timers/promises';
import { type GroupClient } from '@shardnode/messages';

/** Attempts per request to a node that does not answer in time; a busy machine is no finding. */
const attempts = 5;
/** Milliseconds between two of them. */
const everyMs = 500;

const isUnavailable = (error: unknown): boolean => (error as { readonly kind?: unknown }).kind === 'unavailable';

/** A client that retries a few times when a node does not answer in time. */
export const patientClient = (client: GroupClient): GroupClient => ({
  ...client,
  groups: client.groups,
  request: async (group, name, payload, ...rest) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await client.request(group, name, payload, ...rest);
      } catch (error) {
        if (attempt >= attempts || !isUnavailable(error)) throw error;
        await pause(everyMs);
      }
    }
  },
});

import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 60_000;
const everyMs = 10;

/**
 * Resolves when the API reports that all group-nodes have caught up: nothing is announced before the network can be
 * used.
 */
export const waitUntilReady = async (baseUrl: string): Promise<void> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await fetch(`${baseUrl}/health/ready`);
    const { reasons = [] } = (await answer.json()) as { reasons?: readonly string[] };
    if (answer.ok) return;
    if (performance.now() > deadline) throw new Error(`The network does not get ready: ${reasons.join('; ')}.`);
    await pause(everyMs);
  }
};

import { type History, type ReplayTarget } from '@shardnode/testing/replay';
import { answerDifferences, isOverruled, type OurAnswer } from './compare.js';
import { type Endpoint, endpointOf } from './endpoints.js';
import { type Entry, stagesOf } from './entries.js';
import { RecordedExplorer } from './recorded-explorer.js';

/** The comparison of one entry. */
export interface Compared {
  readonly entry: Entry;
  readonly endpoint: Endpoint;
  readonly differences: readonly string[];
}

const ask = async ({ method, path, body, rawBody, headers }: Entry, port: number): Promise<OurAnswer> => {
  const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
    redirect: 'manual',
  });
  const text = await answer.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: answer.status, text, body: json };
};

const compared = async (entry: Entry, port: number): Promise<Compared> => {
  const answer = await ask(entry, port);
  return { entry, endpoint: endpointOf(entry), differences: answerDifferences(entry, answer) };
};

/** Blocks at the tips of the chains that the audit may not have judged. */
const mostWaiting = 16;

/** Whether an entry is compared. */
export const isAsked = (entry: Entry): boolean => entry.skip === undefined && !isOverruled(entry);

/**
 * Imports a history into a node, stage by stage, has an index follow it, and compares the answers of an explorer at
 * each stage. Each stage must pass the supply audit.
 * @throws Error for a history in which the audit finds something, or does not judge what is below the tips
 */
export const compareRecordedAnswers = async (
  history: History,
  entries: readonly Entry[],
  node: ReplayTarget,
): Promise<readonly Compared[]> => {
  const recorded = await RecordedExplorer.open(history, node, entries);
  const { explorer } = recorded;
  const results: Compared[] = [];
  try {
    for (const blocks of stagesOf(entries)) {
      const stage = entries.filter((entry) => entry.blocks === blocks && isAsked(entry));
      await recorded.goTo(blocks, stage[0]!.clock);
      const { findings, behind } = await recorded.audited();
      // Blocks at the tips whose branches compete may wait.
      if (findings > 0 || behind > mostWaiting)
        throw new Error(`${blocks} blocks: ${findings} findings, ${behind} not judged`);
      for (const entry of stage) {
        explorer.clock.setWallClock(entry.clock);
        results.push(await compared(entry, explorer.api.port));
      }
    }
  } finally {
    await recorded.close();
  }
  return results;
};

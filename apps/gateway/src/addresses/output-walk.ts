import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type GroupClient, type UtxoItem, type UtxoPosition } from '@shardnode/messages';

/** Stored outputs by the first byte of their keys, so that sorting a million never blocks the event loop for long. */
const bucketCount = 256;

interface Line {
  readonly key: string;
  readonly text: string;
}

const sorted = (lines: Line[]): Line[] => lines.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));

/**
 * The texts of all unspent outputs of an address with very many of them, in the order of protocol 07 §16.2. Pending
 * outputs are read first: an output that is stored during the walk occurs again, and counts as stored.
 */
export const walkedTexts = async (
  groups: GroupClient,
  { group, lockupScript }: { readonly group: number; readonly lockupScript: string },
  textOf: (item: UtxoItem) => string,
): Promise<string[]> => {
  const pending = new Map<string, Line>();
  const buckets = Array.from({ length: bucketCount }, (): Line[] => []);
  for (const part of ['pending', 'plain', 'bearing'] as const) {
    let after: UtxoPosition | undefined;
    do {
      const step = await groups.request(group, 'read.address.walk', { lockupScript, part, after });
      for (const item of step.utxos) {
        const line = { key: item.key, text: textOf(item) };
        if (part === 'pending') pending.set(item.key, line);
        else {
          pending.delete(item.key);
          buckets[parseInt(item.key.slice(0, 2), 16)]!.push(line);
        }
      }
      after = step.next;
      await yieldToEventLoop();
    } while (after);
  }
  const texts: string[] = [];
  for (const bucket of buckets) {
    for (const { text } of sorted(bucket)) texts.push(text);
    await yieldToEventLoop();
  }
  return [...texts, ...[...pending.values()].map(({ text }) => text)];
};

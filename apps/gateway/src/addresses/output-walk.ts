import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type GroupClient, type UtxoItem, type UtxoPosition } from '@shardnode/messages';

/** Stored outputs by the first byte of their keys, so that sorting a million never blocks the event loop for long. */
const bucketCount = 256;

export interface OutputWalk {
  /** Texts of outputs with the same hint sort as their keys do. All outputs of an address have the same. */
  readonly textOf: (item: UtxoItem) => string;
  /** Called before each read. Throws when nobody waits for the rest. */
  readonly proceed: () => void;
}

/**
 * The texts of all unspent outputs of an address with very many of them, in the order of protocol 07 §16.2: lists of
 * texts with commas between, none empty. All are in memory when the first list is there, because the store reads them in
 * another order; each list that is taken is freed. Pending outputs are read first: an output that is stored during the
 * walk occurs again, and counts as stored.
 */
export const walkedTexts = async (
  groups: GroupClient,
  { group, lockupScript }: { readonly group: number; readonly lockupScript: string },
  { textOf, proceed }: OutputWalk,
): Promise<Iterable<string>> => {
  const pending = new Map<string, string>();
  const buckets = Array.from({ length: bucketCount }, (): string[] => []);
  for (const part of ['pending', 'plain', 'bearing'] as const) {
    let after: UtxoPosition | undefined;
    do {
      proceed();
      const step = await groups.request(group, 'read.address.walk', { lockupScript, part, after });
      for (const item of step.utxos) {
        const text = textOf(item);
        if (part === 'pending') pending.set(item.key, text);
        else {
          pending.delete(item.key);
          buckets[parseInt(item.key.slice(0, 2), 16)]!.push(text);
        }
      }
      after = step.next;
      await yieldToEventLoop();
    } while (after);
  }
  return (function* () {
    for (let bucket = buckets.shift(); bucket; bucket = buckets.shift()) {
      if (bucket.length > 0) yield bucket.sort().join(',');
    }
    if (pending.size > 0) yield [...pending.values()].join(',');
  })();
};

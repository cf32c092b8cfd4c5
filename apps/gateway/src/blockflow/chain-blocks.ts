import { decodeBlock } from '@shardnode/protocol/block';
import { mergeByTime } from '@shardnode/protocol/dag';
import { type BlockReply, type ChainBlocks } from '@shardnode/messages';
import { type z } from 'zod';
import { eventOfBlockForm } from '../events/event-forms.js';
import { yieldingTicks } from '../operations/joined-json.js';
import { type BlockAnswer, blockForm } from './block-forms.js';
import { type BlockAndEvents } from './blockflow.schemas.js';

type StoredBlock = Pick<BlockReply, 'block' | 'height' | 'events'>;

/** The response for a block as stored by a group-node. Genesis blocks are read like any other. */
export const storedBlockForm = ({ block, height }: StoredBlock, groups: number): BlockAnswer =>
  blockForm(decodeBlock(block, groups, { genesis: 'accepted' }), height);

export const blockAndEventsForm = (stored: StoredBlock, groups: number): z.output<typeof BlockAndEvents> => ({
  block: storedBlockForm(stored, groups),
  events: (stored.events ?? []).map(eventOfBlockForm),
});

export interface ChainsJsonOptions {
  readonly groups: number;
  readonly formOf: (stored: StoredBlock, groups: number) => BlockAnswer | z.output<typeof BlockAndEvents>;
  readonly mostCharacters: number;
  /** Called before each block. Throws when nobody waits for the rest. */
  readonly proceed: () => void;
}

/** A block to be written, its chain, and its timestamp in milliseconds since 1970. */
interface NextBlock {
  readonly chain: number;
  readonly form: BlockAnswer | z.output<typeof BlockAndEvents>;
  readonly time: number;
}

/** The blocks of a chain; the form of each is made when it is read. */
const formsOf = function* (
  { from, to, blocks }: ChainBlocks,
  { formOf, groups }: ChainsJsonOptions,
): Generator<NextBlock> {
  for (const stored of blocks) {
    const form = formOf(stored, groups);
    const { timestamp } = 'block' in form ? form.block : form;
    yield { chain: from * groups + to, form, time: Number(timestamp) };
  }
};

/**
 * JSON of lists, one for each chain (0,0), (0,1), ...; each by ascending height. `until` in place of it when it has too
 * many characters: the end of the interval whose blocks fit.
 */
export const chainsJson = async (
  replies: readonly { readonly chains: readonly ChainBlocks[]; readonly until?: number }[],
  options: ChainsJsonOptions,
): Promise<{ readonly json: string } | { readonly until: number }> => {
  const { groups, mostCharacters, proceed } = options;
  // A group has left out its later blocks: those of the others cannot be in the answer, and are not made.
  const until = Math.min(...replies.map((reply) => reply.until ?? Number.POSITIVE_INFINITY));
  const texts = Array.from({ length: groups * groups }, (): string[] => []);
  const tick = yieldingTicks();
  let characters = 0;
  const chains = replies.flatMap((reply) => reply.chains.map((chain) => formsOf(chain, options)));
  // In the order of time, so that the blocks that fit are those of a shorter interval.
  for (const { chain, form, time } of mergeByTime(chains, (block) => block.time)) {
    if (time > until) break;
    proceed();
    const text = JSON.stringify(form);
    characters += text.length + 1;
    if (characters > mostCharacters) return { until: time - 1 };
    texts[chain]!.push(text);
    await tick(text);
  }
  if (until < Number.POSITIVE_INFINITY) return { until };
  return { json: `[${texts.map((blocks) => `[${blocks.join(',')}]`).join(',')}]` };
};

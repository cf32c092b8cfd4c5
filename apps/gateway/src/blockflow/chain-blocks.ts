import { decodeBlock } from '@shardnode/protocol/block';
import { type BlockReply, type ChainBlocks } from '@shardnode/messages';
import { type z } from 'zod';
import { eventOfBlockForm } from '../events/event-forms.js';
import { joinedJson } from '../operations/joined-json.js';
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

/** JSON of lists, one for each chain (0,0), (0,1), ...; each by ascending height. */
export const chainsJson = async (
  replies: readonly { readonly chains: readonly ChainBlocks[] }[],
  groups: number,
  formOf: (stored: StoredBlock, groups: number) => unknown,
): Promise<string> => {
  const texts = Array.from({ length: groups * groups }, () => '[]');
  for (const { from, to, blocks } of replies.flatMap(({ chains }) => chains)) {
    texts[from * groups + to] = await joinedJson(blocks, (stored) => JSON.stringify(formOf(stored, groups)));
  }
  return `[${texts.join(',')}]`;
};

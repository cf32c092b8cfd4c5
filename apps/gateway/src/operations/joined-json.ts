import { yieldToEventLoop } from '@shardnode/core/lifecycle';

/** Characters per event-loop tick: some milliseconds of work. */
const turnCharacters = 1_000_000;

/** A JSON list from the texts of its items. Yields to the event loop, so that a long list does not block it. */
export const joinedJson = async <Item>(items: readonly Item[], textOf: (item: Item) => string): Promise<string> => {
  const texts: string[] = [];
  let characters = 0;
  for (const item of items) {
    const text = textOf(item);
    texts.push(text);
    characters += text.length;
    if (characters < turnCharacters) continue;
    characters = 0;
    await yieldToEventLoop();
  }
  return `[${texts.join(',')}]`;
};

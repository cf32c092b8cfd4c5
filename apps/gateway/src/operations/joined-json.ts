import { yieldToEventLoop } from '@shardnode/core/lifecycle';

/** Characters per event-loop tick: some milliseconds of work. */
const tickCharacters = 250_000;

/** A function that is called with each text made, and yields to the event loop after some of them. */
export const yieldingTicks = (): ((text: string) => Promise<void>) => {
  let characters = 0;
  return async (text) => {
    characters += text.length;
    if (characters < tickCharacters) return;
    characters = 0;
    await yieldToEventLoop();
  };
};

/** Bound on the characters of a list, and the error above it. */
export interface JsonBudget {
  readonly mostCharacters: number;
  readonly tooMany: () => Error;
}

/** A JSON list from the texts of its items. Yields to the event loop, so that a long list does not block it. */
export const joinedJson = async <Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  budget?: JsonBudget,
): Promise<string> => {
  const texts: string[] = [];
  let characters = 0;
  const tick = yieldingTicks();
  for (const item of items) {
    const text = textOf(item);
    characters += text.length + 1;
    if (budget && characters > budget.mostCharacters) throw budget.tooMany();
    texts.push(text);
    await tick(text);
  }
  return `[${texts.join(',')}]`;
};

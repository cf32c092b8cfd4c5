/** Resolves in the next turn of the event loop, after what waits there: long work gives others a turn with it (decision 5). */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

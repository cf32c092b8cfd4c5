/** Yields: resolves in the next event-loop tick, after pending events. For long work (decision 5). */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

import { signal } from '@preact/signals';
import { read } from '../stream/api.js';

/** Most keys of a request (protocol 08 §5.12). */
const mostAtOnce = 80;
/** More than a page shows; those that were read first are dropped. */
const mostKnown = 5_000;

export interface AskedTogether<Form> {
  /** What is known under a key; undefined while it is not there, null if there is none. Those of a moment are asked for at once. */
  readonly of: (key: string) => Form | undefined | null;
  /** All that is known. */
  readonly all: () => Form[];
}

/**
 * Answers to single keys by an operation that takes many.
 * @param path of the operation; its body is the list of keys. It leaves out those of which it knows nothing
 */
export const askedTogether = <Form>(path: string, keyOf: (form: Form) => string): AskedTogether<Form> => {
  const known = signal<ReadonlyMap<string, Form | null>>(new Map());
  const asked = new Set<string>();
  const waiting: string[] = [];

  const ask = async (): Promise<void> => {
    const keys = waiting.splice(0, mostAtOnce);
    if (waiting.length > 0) void ask();
    try {
      const found = new Map((await read<readonly Form[]>(path, keys)).map((form) => [keyOf(form), form] as const));
      const all = [...known.value, ...keys.map((key) => [key, found.get(key) ?? null] as const)];
      for (const [key] of all.slice(0, -mostKnown)) asked.delete(key);
      known.value = new Map(all.slice(-mostKnown));
    } catch {
      // The next page asks again.
      for (const key of keys) asked.delete(key);
    }
  };

  return {
    of: (key) => {
      if (!asked.has(key)) {
        asked.add(key);
        if (waiting.push(key) === 1) setTimeout(() => void ask());
      }
      return known.value.get(key);
    },
    all: () => [...known.value.values()].filter((form) => form !== null),
  };
};

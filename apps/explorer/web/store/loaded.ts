import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiFailure, read } from '../stream/api.js';
import { endWait, isWaiting, sendLater } from './waiting-requests.js';

/** An answer of the API: `value` stays while it is asked for again. */
export interface Loaded<Form> {
  readonly value?: Form;
  readonly failure?: ApiFailure;
  readonly isLoading: boolean;
}

/** Answers of pages that were left: they are there at once when one comes back. */
const kept = new Map<string, Signal<Loaded<unknown>>>();
const mostKept = 100;

/** Answers that came with the page. */
const given = new Map<string, unknown>();

/** @param answers by path: each is taken where it would be asked for first */
export const giveAnswers = (answers: Readonly<Record<string, unknown>>): void => {
  for (const [path, value] of Object.entries(answers)) given.set(path, value);
};

const signalOf = <Form>(path: string): Signal<Loaded<Form>> => {
  let found = kept.get(path);
  if (found === undefined) {
    found = signal<Loaded<unknown>>(
      given.has(path) ? { value: given.get(path), isLoading: false } : { isLoading: true },
    );
    kept.set(path, found);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
  }
  return found as Signal<Loaded<Form>>;
};

export const failureOf = (error: unknown): ApiFailure =>
  error instanceof ApiFailure ? error : new ApiFailure(0, String(error), undefined, undefined);

/** Asks for a path again, now. */
export const reload = async (path: string): Promise<void> => {
  const loaded = signalOf(path);
  endWait(path);
  loaded.value = { ...loaded.peek(), isLoading: true };
  try {
    loaded.value = { value: await read(path), isLoading: false };
  } catch (error) {
    const failure = failureOf(error);
    loaded.value = { ...loaded.peek(), failure, isLoading: false };
    sendLater(path, failure, () => void reload(path));
  }
};

/** Asks for a path again, unless the service asked to wait. */
const refresh = (path: string): void => {
  if (!given.delete(path) && !isWaiting(path)) void reload(path);
};

/** The answer to a path as far as it is there. */
export const answerOf = <Form>(path: string): Loaded<Form> => signalOf<Form>(path).value;

/** The answers to several paths, asked for as `useAnswer` does. */
export const useAnswers = <Form>(paths: readonly string[], version: unknown = 0): readonly Loaded<Form>[] => {
  useEffect(() => paths.forEach(refresh), [paths.join(' '), version]);
  return paths.map((path) => answerOf<Form>(path));
};

/**
 * The answer to a path, asked for when it is first shown, and again when `version` changes.
 * @param path undefined: there is nothing to ask for
 */
export const useAnswer = <Form>(path: string | undefined, version: unknown = 0): Loaded<Form> =>
  useAnswers<Form>(path === undefined ? [] : [path], version)[0] ?? { isLoading: false };

import { type ReadonlySignal, signal } from '@preact/signals';

const everyMs = 250;

/** Follows a signal at once after a pause, otherwise four times a second: for what nobody reads faster. */
export const calm = <Value>(source: ReadonlySignal<Value>): ReadonlySignal<Value> => {
  const followed = signal(source.peek());
  let freeAt = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const follow = (): void => {
    waiting = undefined;
    freeAt = Date.now() + everyMs;
    followed.value = source.peek();
  };
  source.subscribe(() => {
    const wait = freeAt - Date.now();
    if (wait <= 0) follow();
    else waiting ??= setTimeout(follow, wait);
  });
  return followed;
};

/** Runs tasks one at a time, in the order of the calls. A failed task does not stop the next one. */
export type Mutex = <T>(task: () => Promise<T>) => Promise<T>;

/** A mutex for each key: tasks of different keys run concurrently. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Keys without tasks take no memory. */
export const keyedMutex = (): KeyedMutex => {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const result = (last.get(key) ?? Promise.resolve()).then(task);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return result;
  };
};

export const mutex = (): Mutex => {
  const exclusive = keyedMutex();
  return (task) => exclusive('', task);
};

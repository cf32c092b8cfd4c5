/** Runs the tasks of one key one after another, in the order of the calls; those of other keys run beside them. */
export type TurnTaker = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** A task that fails does not keep the next one from its turn. Keys without tasks take no memory. */
export const turnsByKey = (): TurnTaker => {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return turn;
  };
};

/**
 * `name` or `name:count`: ends the process with SIGKILL when the named place is reached for the count-th time. For tests
 * of recovery only. Places: before-commit, after-commit, before-prune, after-prune, and at start after-genesis, after-headers, after-projection,
 * after-pool.
 */
export const crashPointAt = (place: string | undefined): ((name: string) => void) => {
  if (place === undefined || place === '') return () => undefined;
  const [wanted, count = '1'] = place.split(':');
  let left = Number(count);
  return (name) => {
    if (name === wanted && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
};

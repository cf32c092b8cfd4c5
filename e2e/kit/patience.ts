import { loadavg } from 'node:os';

/** Processes that are ready to run on the quiet machine of CI, and the longest allowance. */
const quietLoad = 2;
const most = 4;

/** Milliseconds with an allowance for a loaded machine: longer by as much as more wants to run than it has cores, at most fourfold. */
export const patience = (milliseconds: number): number => {
  const [lastMinute = 0] = loadavg();
  return Math.round(milliseconds * Math.min(most, Math.max(1, lastMinute / quietLoad)));
};

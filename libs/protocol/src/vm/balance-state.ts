import { BalanceList } from './balance-list.js';

/** The assets of one frame (protocol 05 §9.3). */
export interface BalanceState {
  /** Assets that the frame may spend. */
  readonly remaining: BalanceList;
  /** Assets that the frame has set aside for calls and creations. */
  readonly approved: BalanceList;
}

export const newBalanceState = (remaining: BalanceList = new BalanceList()): BalanceState => ({
  remaining,
  approved: new BalanceList(),
});

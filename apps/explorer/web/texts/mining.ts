/** Of a development network whose blocks are made on request. */
export const miningTexts = {
  off: 'Mining is off: blocks are made on request, and pending transactions wait for one.',
  mine: (chain: string) => `Mine a block of chain ${chain}`,
  mining: 'Mining',
  failed: (what: string) => `Not mined: ${what}.`,
} as const;

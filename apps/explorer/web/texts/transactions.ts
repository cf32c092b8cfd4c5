/** Of the page of all transactions. */
export const transactionsTexts = {
  intro: 'The transactions of all chains, the newest first. Block rewards are left out.',
  fresh: 'Show new transactions',
  none: 'This page of the list has no transactions.',
  pages: 'Pages of the list',
  newer: 'Newer',
  older: 'Older',
} as const;

/** Of the page of pending transactions. */
export const pendingTexts = {
  pending: {
    title: 'Pending transactions',
    nothing: 'No pending transactions.',
    waits: (number: string, oldest: string) => `${number} pending, the oldest for ${oldest}.`,
    lanes: 'By chain and age',
    lanesHint: 'choose one to find it in the list',
    lane: (chain: string, number: number) => `Chain ${chain}: ${number} pending`,
    list: 'Pending',
    oldestFirst: 'the oldest first',
    newest: (shown: number, all: string) => `the newest ${shown} of ${all}`,
    sought: 'yours',
    gasPrice: 'Gas price',
    nothingHint:
      'Transactions appear here from the moment a node accepts them until they are mined. On a development network that takes milliseconds.',
  },
} as const;

/** Of the page of what waits. */
export const pendingTexts = {
  pending: {
    title: 'Pending transactions',
    nothing: 'Nothing waits.',
    waits: (number: string, oldest: string) =>
      `${number} ${number === '1' ? 'waits' : 'wait'}, the oldest for ${oldest}.`,
    lanes: 'By chain and age',
    lanesHint: 'point at one to find it in the list',
    lane: (chain: string, number: number) => `Chain ${chain}: ${number} waiting`,
    list: 'Waiting',
    oldestFirst: 'the oldest first',
    newest: (shown: number, all: string) => `the newest ${shown} of ${all}`,
    sought: 'yours',
    gasPrice: 'Gas price',
    nothingHint:
      'A transaction is here from the moment in which a node has it until a block takes it in. On a development network that mines by itself this is short.',
  },
} as const;

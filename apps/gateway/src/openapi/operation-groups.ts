/** Purposes of the groups of operations, by their tags; one line each. */
export const operationGroups: Readonly<Record<string, string>> = {
  Wallets: 'Keys that the node keeps: create, unlock, pay, sweep. For tests and small sums.',
  Infos: 'State of the node and its peers, parameters of the chains, hash rate and difficulty.',
  Addresses: 'Group, balance and unspent outputs of any address.',
  Blockflow: 'Blocks, headers and heights of all chains.',
  Transactions: 'Build, submit and follow transactions that you sign yourself.',
  'Multi-signature': 'Addresses that m of n keys spend from.',
  Contracts: 'Deploy, test and call contracts.',
  Events: 'What contracts have announced, by contract, transaction or block.',
  Mempool: 'Pending transactions.',
  Miners: 'Mine on a development network, and set who is paid for blocks.',
  Utils: 'Verify a signature, convert a target, check the height index.',
};

import { type ErrorCode } from '@shardnode/http';

interface ErrorExample {
  /** The text of this project. */
  readonly own: string;
  /** The text that existing clients match, if it differs. */
  readonly documented?: string;
  /** The missing resource, of status 404. */
  readonly resource?: string;
}

const hash = 'ab'.repeat(32);
const contract = 'uqa8vVAySDGA5nbt6c5WXYXXuBWPghtDx6C8aE3VFXDZ';

/** Texts of errors as clients receive them; a test compares them with the responses of the gateway. */
export const errorExamples: Partial<Record<ErrorCode, ErrorExample>> = {
  InvalidWalletName: {
    own: '"hot 1" cannot be the name of a wallet: expected 1 to 128 letters (a-z, A-Z), digits, _ and -',
    documented: 'Invalid wallet name: hot 1',
  },
  NotEnoughBalance: {
    own: 'Not enough balance: the sender can spend 1 {COIN} (1000000000000000000 attoCoin), but 1.001 {COIN} (1001000000000000000 attoCoin) is needed besides the fee, 0.001 {COIN} (1000000000000000 attoCoin) of it for change. Send 0.003 {COIN} (3000000000000000 atto{Coin}) less, or everything with a sweep.',
    documented: 'Not enough balance: got 1000000000000000000, expected 1001000000000000000',
  },
  InvalidInterval: {
    own: 'The interval may be at most 1800000 ms (30 minutes), but is 1800001 ms. Ask for it in parts, first fromTs=1699990000000&toTs=1699991800000.',
  },
  NoGhostUncle: {
    own: `The block ${hash} is of the main chain: it is no uncle of another block.`,
    documented: `The block ${hash} is not a ghost uncle block, you should use a ghost uncle block hash to call this endpoint`,
  },
  InvalidHex: {
    own: 'unsignedTx is not hexadecimal: an even number of digits 0 to 9 and a to f.',
    documented: 'Invalid hex',
  },
  InvalidMultisig: {
    own: 'mrequired is 2, but must be from 1 to 1, the number of keys.',
    documented: 'Invalid m-of-n multisig',
  },
  CompileError: {
    own: '-- error (2:24): Compilation error\n2 |  pub fn bar() -> () { assert(true, 0) }\n  |                       ^^^^^^\n  |                       Function assert does not exist\n  = hint: The names of built-in functions end with `!`: write `assert!`.\n',
    documented:
      '-- error (2:24): Compilation error\n2 |  pub fn bar() -> () { assert(true, 0) }\n  |                       ^^^^^^\n  |                       Function assert does not exist\n',
  },
  ContractTestFailed: { own: 'The method fails: out of gas' },
  TooManyCalls: {
    own: 'A request makes at most 20 calls, got 21: make several requests',
    documented: 'The number of contract calls exceeds the maximum limit(20)',
  },
  InvalidMinerAddresses: {
    own: '3 addresses are given, but one for each of the 4 groups is needed, in order.',
    documented: 'Wrong number of addresses, expected 4, got 3',
  },
  InvalidTarget: {
    own: '1234 is no target of work: 8 hexadecimal digits, of a number above 0.',
    documented: 'Invalid target string: 1234',
  },
  InvalidBody: { own: 'Invalid value for: body (is not valid JSON at index 1)' },
  InvalidApiKey: {
    own: 'The key in the header X-API-KEY is too short: a key has at least 32 characters.',
    documented: 'Invalid value for: header X-API-KEY (Api key must have at least 32 characters)',
  },
  MissingApiKey: {
    own: 'The header X-API-KEY is missing: send the key of this API in it.',
    documented: 'Missing api key',
  },
  KeyNotPermitted: {
    own: 'The key in the header X-API-KEY has the role read, but this operation needs the role wallets: send the key of API_KEY_WALLETS or API_KEY.',
  },
  ApiKeyNotConfigured: {
    own: 'The header X-API-KEY was sent, but this API has no key: leave it out.',
    documented: 'Api key not configured in server',
  },
  ForeignOrigin: {
    own: 'A web page of the origin https://other.example may not make this request: list the origin in CORS_ORIGINS of the gateway.',
  },
  InvalidPassword: {
    own: 'The password is wrong (2 wrong ones in a row). The next one is tried in 1 s at the earliest',
    documented: 'Invalid password',
  },
  WalletLocked: {
    own: 'Wallet hot_1 is locked: unlock it with its password first',
    documented: 'Wallet is locked',
  },
  WalletNotFound: {
    own: 'There is no wallet hot_1: GET /wallets lists all wallets',
    documented: 'hot_1 not found',
    resource: 'hot_1',
  },
  ContractNotFound: {
    own: `There is no contract with the address ${contract} in group 0, which the last byte of its id names.`,
    resource: contract,
  },
  BlockNotFound: {
    own: `There is no block with the hash ${hash} here.`,
    documented: `The block ${hash} does not exist, please check if your full node synced`,
    resource: hash,
  },
  TransactionNotFound: {
    own: `Transaction ${hash} is in no block of the main chain. Its status tells whether it waits.`,
    documented: `Transaction ${hash} not found`,
    resource: hash,
  },
  WalletExists: {
    own: 'The wallet hot_1 exists: unlock it, or choose another name. PUT /wallets with its mnemonic sets a new password if the old one is forgotten',
  },
  BodyTooLarge: { own: 'The body is larger than 10485760 bytes' },
  TooManyPasswordChecks: { own: '32 passwords wait to be checked already: try again in 5 s' },
  TooManyRequests: {
    own: 'This client has sent more than 1 requests in a minute: wait as long as Retry-After says.',
  },
  TooManyWrongPasswords: {
    own: 'After 3 wrong passwords in a row no other is tried before 2026-01-01T00:00:03.000Z: try again in 2 s',
  },
  TooManyRuns: { own: 'The group-node runs as many contracts for others as it can: ask again in 1 s' },
  InternalServerError: { own: 'Internal server error' },
  NoMinerAddresses: {
    own: 'No miner addresses are set: nobody would be paid for blocks. Set one for each group.',
    documented: 'Miner addresses are not set up',
  },
  QueueFull: { own: 'Group 2 has more work than can be done in time: nothing was done, ask again in 1 s' },
  NotSynced: {
    own: 'The node has not caught up with the network (group 2: gaps are being pulled): ask again in a few seconds.',
  },
  NoResponder: { own: 'The group-node of group 2 is not available' },
};

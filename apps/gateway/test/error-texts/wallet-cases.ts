import { ServiceError, type ErrorData } from '@shardnode/core/errors';
import { errorCodes, type ErrorCode } from '@shardnode/http';
import { type WalletScript } from '../fakes/fake-wallet.js';
import { type Call, type ErrorCase } from './error-case.js';

const address = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
const password = 'xy';
const mnemonic = 'abandon';

const calls = {
  create: ['POST', '/wallets', { password, walletName: 'hot 1' }],
  restore: ['PUT', '/wallets', { password, mnemonic }],
  unlock: ['POST', '/wallets/hot_1/unlock', { password }],
  balances: ['GET', '/wallets/hot_1/balances'],
  'derive-next-address': ['POST', '/wallets/hot_1/derive-next-address'],
  'sweep-all-addresses': ['POST', '/wallets/hot_1/sweep-all-addresses', { toAddress: address }],
  'change-active-address': ['POST', '/wallets/hot_1/change-active-address', { address }],
} as const satisfies Record<string, Call>;

/** What the wallet-service refuses; that these are its texts and facts, its own tests say. */
const refused = (
  at: keyof typeof calls,
  code: ErrorCode,
  detail: string,
  data: ErrorData,
  rest: Pick<ErrorCase, 'documented' | 'field' | 'next' | 'when'>,
): ErrorCase => {
  const fail = (): never => {
    throw new ServiceError(errorCodes[code].kind, code, detail, data);
  };
  const wallet: WalletScript = { [at]: fail };
  return { code, call: calls[at], wallet, detail, ...rest };
};

export const cases: readonly ErrorCase[] = [
  refused(
    'create',
    'WalletExists',
    'The wallet hot_1 exists: unlock it, or choose another name. PUT /wallets with its mnemonic sets a new password if the old one is forgotten',
    { field: 'walletName', walletName: 'hot_1' },
    { field: 'walletName', next: 'POST /wallets/hot_1/unlock' },
  ),
  refused(
    'balances',
    'WalletLocked',
    'Wallet hot_1 is locked: unlock it with its password first',
    {},
    { documented: 'Wallet is locked', next: 'POST /wallets/hot_1/unlock' },
  ),
  refused(
    'balances',
    'WalletNotFound',
    'There is no wallet hot_1: GET /wallets lists all wallets',
    { resource: 'hot_1', walletName: 'hot_1' },
    { documented: 'hot_1 not found', field: 'wallet_name', next: 'GET /wallets' },
  ),
  refused(
    'create',
    'InvalidWalletName',
    '"hot 1" cannot be the name of a wallet: expected 1 to 128 letters (a-z, A-Z), digits, _ and -',
    { field: 'walletName', walletName: 'hot 1' },
    { documented: 'Invalid wallet name: hot 1', field: 'walletName' },
  ),
  refused(
    'unlock',
    'InvalidPassword',
    'The password is wrong (2 wrong ones in a row). The next one is tried in 1 s at the earliest',
    { field: 'password' },
    { documented: 'Invalid password', field: 'password' },
  ),
  refused(
    'unlock',
    'InvalidPassphrase',
    'This wallet has a mnemonic passphrase: send it as mnemonicPassphrase',
    { field: 'mnemonicPassphrase' },
    { documented: 'Invalid mnemonic passphrase', field: 'mnemonicPassphrase' },
  ),
  refused(
    'unlock',
    'TooManyWrongPasswords',
    'After 3 wrong passwords in a row no other is tried before 2026-01-01T00:00:03.000Z: try again in 2 s',
    { retryAfterSeconds: 2 },
    {},
  ),
  refused(
    'unlock',
    'TooManyPasswordChecks',
    '32 passwords wait to be checked already: try again in 5 s',
    { retryAfterSeconds: 5 },
    {},
  ),
  refused(
    'derive-next-address',
    'MinerWalletNeeded',
    'Wallet hot_1 is a miner wallet, with an address of each group in a set: derive-next-miner-addresses makes the next set',
    {},
    { documented: 'Miner wallet is needed', field: 'wallet_name', next: 'GET /wallets/hot_1/addresses' },
  ),
  refused(
    'change-active-address',
    'UnknownAddress',
    `Address ${address} is not of this wallet, which has 1 address: derive-next-address makes more, after a restore the same ones in the same order`,
    { field: 'address', address },
    { documented: `Unknown address: ${address}`, field: 'address', next: 'GET /wallets/hot_1/addresses' },
  ),
  refused(
    'restore',
    'InvalidMnemonic',
    'The mnemonic is wrong: it has 1 word, expected 12, 15, 18, 21 or 24 words',
    { field: 'mnemonic', isChecksum: false },
    { documented: 'Cannot validate mnemonic', field: 'mnemonic' },
  ),
  refused(
    'restore',
    'InvalidMnemonic',
    'The mnemonic is wrong: its checksum is wrong; a word is mistyped, or the words are in a different order',
    { field: 'mnemonic', isChecksum: true },
    { documented: 'Cannot validate mnemonic: its checksum is wrong', field: 'mnemonic', when: 'the checksum' },
  ),
  refused(
    'create',
    'InvalidMnemonicSize',
    'A mnemonic of 13 words cannot be made: expected 12, 15, 18, 21 or 24 words',
    { field: 'mnemonicSize', mnemonicSize: 13 },
    { documented: 'Invalid mnemonic size: 13, expected: 12, 15, 18, 21, 24', field: 'mnemonicSize' },
  ),
  refused(
    'unlock',
    'InvalidWalletRecord',
    'The stored record of this wallet cannot be read: PUT /wallets with its mnemonic restores it',
    {},
    { documented: 'Invalid wallet file', next: 'PUT /wallets' },
  ),
  refused(
    'sweep-all-addresses',
    'NotEnoughBalanceForFee',
    `No address was swept. ${address}: the outputs have 0.0015 COIN`,
    { of: 'sweep', skipped: `${address}: the outputs have 0.0015 {COIN}` },
    {
      documented: `Not enough balance for gas fee in Sweeping; ${address}: the outputs have 0.0015 COIN`,
      next: 'GET /wallets/hot_1/balances',
      when: 'at every address of a wallet',
    },
  ),
];

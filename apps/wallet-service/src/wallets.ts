import { createHash, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceError } from '@shardnode/core/errors';
import {
  entropyLength,
  hasValidChecksum,
  mnemonicFromEntropy,
  mnemonicSizes,
  mnemonicToSeed,
  parseMnemonic,
} from '@shardnode/protocol/address';
import { PasswordGuard } from './keys/password-guard.js';
import { UnlockedWallet } from './keys/unlocked-wallet.js';
import { type UnlockedWallets } from './keys/unlocked-wallets.js';
import { openSecret, sealSecret, type PasswordStretcher, type WalletSecret } from './storage/secret-record.js';
import { type WalletRow, type WalletStore } from './storage/wallet-store.js';

const stretchMnemonic = promisify(pbkdf2);
const nameForm = /^[a-zA-Z0-9_-]*$/;
const longestName = 128;

const twiceSha256 = (text: string): string => {
  const once = createHash('sha256').update(text, 'utf8').digest();
  return createHash('sha256').update(once).digest('hex');
};

const seedOf = (mnemonic: string, passphrase: string): Promise<Uint8Array> =>
  mnemonicToSeed(mnemonic.split(' '), passphrase, (password, salt, rounds, length) =>
    stretchMnemonic(password, salt, rounds, length, 'sha512'),
  );

const walletNotFound = (name: string): ServiceError =>
  new ServiceError('not-found', 'WalletNotFound', `${name} not found`, { resource: name });
export const walletLocked = (): ServiceError => new ServiceError('unauthorized', 'WalletLocked', 'Wallet is locked');
const minerWalletNeeded = (): ServiceError =>
  new ServiceError('unauthorized', 'MinerWalletNeeded', 'Miner wallet is needed');

export interface NewWallet {
  readonly walletName: string;
  readonly password: string;
  readonly passphrase?: string | undefined;
  readonly isMiner?: boolean | undefined;
}

/** Creation, restoring, locking and addresses of wallets (protocol 07 §3, 00-decisions 7 and 8). */
export class Wallets {
  private readonly guard: PasswordGuard;

  constructor(
    private readonly store: WalletStore,
    private readonly unlocked: UnlockedWallets,
    private readonly stretch: PasswordStretcher,
    guard: PasswordGuard,
    private readonly groups: number,
  ) {
    this.guard = guard;
  }

  /** A new mnemonic of 12, 15, 18, 21 or 24 words; the one time that it is shown. */
  async create(
    wanted: NewWallet & { readonly mnemonicSize?: number | undefined },
  ): Promise<{ walletName: string; mnemonic: string }> {
    const size = wanted.mnemonicSize ?? 24;
    if (!mnemonicSizes.includes(size))
      throw new ServiceError(
        'invalid-request',
        'InvalidMnemonicSize',
        `Invalid mnemonic size: ${size}, expected: ${mnemonicSizes.join(', ')}`,
      );
    const mnemonic = mnemonicFromEntropy(randomBytes(entropyLength(size))).join(' ');
    await this.add(wanted, mnemonic);
    return { walletName: wanted.walletName, mnemonic };
  }

  /** Restores from a mnemonic; without a name it picks one that is free. Never overwrites. */
  async restore(
    wanted: Omit<NewWallet, 'walletName'> & { readonly walletName?: string | undefined; readonly mnemonic: string },
  ): Promise<{ walletName: string }> {
    const words = parseMnemonic(wanted.mnemonic);
    if (!words)
      throw new ServiceError('invalid-request', 'InvalidMnemonic', 'Cannot validate mnemonic', { field: 'mnemonic' });
    if (!hasValidChecksum(words))
      throw new ServiceError('invalid-request', 'InvalidMnemonic', 'Cannot validate mnemonic: its checksum is wrong', {
        field: 'mnemonic',
      });
    const walletName = wanted.walletName ?? `wallet-${randomBytes(4).toString('hex')}`;
    await this.add({ ...wanted, walletName }, words.join(' '));
    return { walletName };
  }

  async list(): Promise<{ walletName: string; locked: boolean }[]> {
    const names = await this.store.names();
    return names.map((walletName) => {
      this.unlocked.touch(walletName);
      return { walletName, locked: this.unlocked.get(walletName) === undefined };
    });
  }

  async status(name: string): Promise<{ walletName: string; locked: boolean }> {
    await this.find(name);
    return { walletName: name, locked: this.unlocked.get(name) === undefined };
  }

  async lock(name: string): Promise<void> {
    await this.find(name);
    this.unlocked.lock(name);
  }

  /** The password first, then the passphrase; an unlocked wallet stays so whatever comes of it (protocol 07 §3.3). */
  async unlock(name: string, password: string, passphrase: string | undefined): Promise<void> {
    const row = await this.find(name);
    const secret = await this.open(row, password);
    const check = passphrase === undefined ? undefined : twiceSha256(passphrase.normalize('NFKD'));
    if (check !== secret.passphraseCheck)
      throw new ServiceError('unauthorized', 'InvalidPassphrase', 'Invalid mnemonic passphrase');
    const seed = await seedOf(secret.mnemonic, passphrase ?? '');
    const current = (await this.store.find(name)) ?? row;
    this.unlocked.hold(name, new UnlockedWallet(seed, this.groups, current.addressCount, current.activeIndex));
  }

  async delete(name: string, password: string): Promise<void> {
    const row = await this.find(name);
    await this.open(row, password);
    this.unlocked.lock(name);
    await this.store.delete(name);
  }

  /** The unlocked wallet; starts its time anew. Throws `WalletNotFound` or `WalletLocked`. */
  async use(name: string): Promise<UnlockedWallet> {
    this.unlocked.touch(name);
    const wallet = this.unlocked.get(name);
    if (wallet) return wallet;
    await this.find(name);
    throw walletLocked();
  }

  /** Derives until an address of the group appears (the next one without a group); it becomes active (protocol 07 §3.5). */
  async deriveNext(name: string, group: number | undefined): Promise<UnlockedWallet> {
    const wallet = await this.use(name);
    const row = await this.find(name);
    if (row.isMiner) throw minerWalletNeeded();
    let next = wallet.deriveNext();
    while (group !== undefined && next.group !== group) next = wallet.deriveNext();
    wallet.activeIndex = next.index;
    await this.store.setAddresses(name, wallet.addresses.length, next.index);
    return wallet;
  }

  async changeActive(name: string, address: string): Promise<void> {
    const wallet = await this.use(name);
    wallet.activeIndex = addressInWallet(wallet, address).index;
    await this.store.setAddresses(name, wallet.addresses.length, wallet.activeIndex);
  }

  private async add(wanted: NewWallet, mnemonic: string): Promise<void> {
    const { walletName: name, password, passphrase, isMiner = false } = wanted;
    if (!nameForm.test(name) || name === '' || name.length > longestName)
      throw new ServiceError(
        'invalid-request',
        'InvalidWalletName',
        `Invalid wallet name: ${name.slice(0, longestName)}`,
        { field: 'walletName' },
      );
    if (await this.store.find(name)) throw this.exists(name);
    const wallet = new UnlockedWallet(await seedOf(mnemonic, passphrase ?? ''), this.groups, 1, 0);
    if (isMiner) this.completeMinerSet(wallet);
    const secret: WalletSecret =
      passphrase === undefined
        ? { mnemonic }
        : { mnemonic, passphraseCheck: twiceSha256(passphrase.normalize('NFKD')) };
    const record = await sealSecret(secret, password, this.stretch);
    const row: WalletRow = {
      name,
      isMiner,
      addressCount: wallet.addresses.length,
      activeIndex: wallet.activeIndex,
      secret: record,
    };
    if (!(await this.store.insert(row))) throw this.exists(name);
    this.unlocked.hold(name, wallet);
  }

  /** A miner wallet has an address in every group; the last derived one is active (protocol 07 §3.5). */
  private completeMinerSet(wallet: UnlockedWallet): void {
    while (new Set(wallet.addresses.map(({ group }) => group)).size < this.groups) wallet.deriveNext();
    wallet.activeIndex = wallet.addresses.length - 1;
  }

  private exists(name: string): ServiceError {
    return new ServiceError(
      'conflict',
      'WalletExists',
      `The wallet ${name} exists already; delete it first or choose another name`,
      { field: 'walletName' },
    );
  }

  private open(row: WalletRow, password: string): Promise<WalletSecret> {
    return this.guard.guarded(row.name, () => openSecret(row.secret, password, this.stretch));
  }

  /** A name that is not allowed is a wallet that does not exist, never a path. */
  private async find(name: string): Promise<WalletRow> {
    this.unlocked.touch(name);
    const row = nameForm.test(name) ? await this.store.find(name) : undefined;
    if (!row) throw walletNotFound(name);
    return row;
  }
}

/** Throws `UnknownAddress`. */
export const addressInWallet = (wallet: UnlockedWallet, address: string): UnlockedWallet['addresses'][number] => {
  const found = wallet.addresses.find((one) => one.address === address);
  if (!found)
    throw new ServiceError('invalid-request', 'UnknownAddress', `Unknown address: ${address}`, { field: 'address' });
  return found;
};

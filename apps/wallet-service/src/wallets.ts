import { randomBytes } from 'node:crypto';
import { keyedMutex } from '@shardnode/core/concurrency';
import { currentContext } from '@shardnode/core/observability';
import {
  entropyLength,
  hasValidChecksum,
  type KeyStretcher,
  mnemonicBytes,
  mnemonicFromEntropy,
  mnemonicMistake,
  mnemonicSizes,
  parseMnemonic,
  type Mnemonic,
} from '@shardnode/protocol/address';
import { type PasswordGuard, type PasswordTries } from './keys/password-guard.js';
import { UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';
import { type UnlockedWallets, type Unlocking } from './keys/unlocked-wallets.js';
import { passphraseCheckOf, seedOf } from './mnemonic-seed.js';
import { openSecret, sealSecret, type PasswordStretcher, type WalletSecret } from './storage/secret-record.js';
import { type WalletRow, type WalletStore } from './storage/wallet-store.js';
import {
  anotherKind,
  anotherWallet,
  invalidMnemonic,
  invalidMnemonicSize,
  invalidPassphrase,
  invalidPassword,
  invalidWalletName,
  minerWalletNeeded,
  noFingerprint,
  walletExists,
  walletLocked,
  walletNotFound,
} from './wallet-errors.js';
import { fingerprintOf, isSameFingerprint } from './wallet-fingerprint.js';
import { canBeCreated, generatedName, isWalletName } from './wallet-name.js';

export interface NewWallet {
  readonly walletName: string;
  readonly password: string;
  readonly passphrase?: string | undefined;
  readonly isMiner?: boolean | undefined;
}

export interface WalletsSettings {
  readonly store: WalletStore;
  readonly unlocked: UnlockedWallets;
  readonly guard: PasswordGuard;
  readonly stretch: PasswordStretcher;
  /** Default: off the main thread. */
  readonly stretchMnemonic?: KeyStretcher | undefined;
  /** Number of groups of the network. */
  readonly groups: number;
}

const defaultMnemonicSize = 24;

const minerOnly = (name: string, wallet: UnlockedWallet): UnlockedWallet => {
  if (!wallet.isMiner) throw minerWalletNeeded(name, false);
  return wallet;
};

/** Throws `InvalidPassphrase`. */
const checkPassphrase = (passphrase: string | undefined, { passphraseCheck }: WalletSecret): void => {
  if (passphraseCheckOf(passphrase) === passphraseCheck) return;
  if (passphrase === undefined) throw invalidPassphrase('missing');
  throw invalidPassphrase(passphraseCheck === undefined ? 'superfluous' : 'wrong');
};

/**
 * Creation, restoring, locking and addresses of wallets (protocol 07 §3, 00-decisions 7 and 8). Changes of a wallet run
 * one after the other, so that memory and store stay equal; only locking never waits.
 */
export class Wallets {
  private readonly mutex = keyedMutex();

  constructor(private readonly settings: WalletsSettings) {}

  /** A new mnemonic of 12, 15, 18, 21 or 24 words; it is shown only this once. */
  async create(
    wanted: NewWallet & { readonly mnemonicSize?: number | undefined },
  ): Promise<{ walletName: string; mnemonic: string }> {
    const size = wanted.mnemonicSize ?? defaultMnemonicSize;
    if (!mnemonicSizes.includes(size)) throw invalidMnemonicSize(size);
    const entropy = randomBytes(entropyLength(size));
    const mnemonic = mnemonicFromEntropy(entropy);
    entropy.fill(0);
    await this.add(wanted, mnemonic);
    return { walletName: wanted.walletName, mnemonic: mnemonic.join(' ') };
  }

  /**
   * Restores from a mnemonic; without a name it picks a free one. A wallet of that name and mnemonic gets the new
   * password and retains its addresses; another wallet is never overwritten.
   */
  async restore(
    wanted: Omit<NewWallet, 'walletName'> & { readonly walletName?: string | undefined; readonly mnemonic: string },
  ): Promise<{ walletName: string }> {
    const words = parseMnemonic(wanted.mnemonic);
    if (!words || !hasValidChecksum(words)) throw invalidMnemonic(mnemonicMistake(wanted.mnemonic));
    const walletName = wanted.walletName ?? (await this.freeName());
    await this.addOrReplace({ ...wanted, walletName }, words);
    return { walletName };
  }

  /** Names no wallet, and so keeps none unlocked (protocol 07 §3.3). */
  async list(): Promise<{ walletName: string; locked: boolean }[]> {
    const names = await this.settings.store.names();
    return names.map((walletName) => this.statusOf(walletName));
  }

  async status(name: string): Promise<{ walletName: string; locked: boolean }> {
    await this.find(name);
    return this.statusOf(name);
  }

  /** A name that no wallet can have counts as locked. */
  async lock(name: string): Promise<void> {
    if (!isWalletName(name)) return;
    await this.find(name);
    this.settings.unlocked.lock(name);
  }

  /**
   * Checks the password first, then the passphrase; an unlocked wallet stays unlocked whatever the result (protocol 07
   * §3.3).
   */
  unlock(name: string, password: string, passphrase: string | undefined): Promise<void> {
    return this.settings.unlocked.unlocking(name, async (unlocking) => {
      await this.opened(name, password, async (row, secret) => {
        checkPassphrase(passphrase, secret);
        await this.mutex(name, () => this.hold(unlocking, row, secret.mnemonic, passphrase));
      });
    });
  }

  async delete(name: string, password: string): Promise<void> {
    await this.opened(name, password, (row) =>
      this.mutex(name, async () => {
        await this.unchanged(row);
        this.settings.unlocked.lock(name);
        if (!(await this.settings.store.delete(row))) throw walletNotFound(name);
      }),
    );
  }

  /** The words of a wallet, locked or not (protocol 07 §4.19); its passphrase is neither required nor returned. */
  async reveal(name: string, password: string): Promise<string> {
    return this.opened(name, password, async (_row, { mnemonic }) => new TextDecoder().decode(mnemonic));
  }

  /** The unlocked wallet; restarts its timeout. Throws `WalletNotFound` or `WalletLocked`. */
  async use(name: string): Promise<UnlockedWallet> {
    this.settings.unlocked.touch(name);
    const wallet = this.settings.unlocked.get(name);
    if (wallet) return wallet;
    await this.find(name);
    throw walletLocked(name);
  }

  /**
   * Derives until an address of the group appears (without a group, the next one); it becomes active (protocol 07
   * §3.5).
   */
  async deriveNext(name: string, group: number | undefined): Promise<WalletAddress> {
    return this.change(name, (wallet) => {
      if (wallet.isMiner) throw minerWalletNeeded(name, true);
      const next = wallet.deriveNext(group);
      wallet.activate(next);
      return next;
    });
  }

  /** The complete sets of a miner wallet. Throws `MinerWalletNeeded`. */
  async minerSets(name: string): Promise<readonly (readonly WalletAddress[])[]> {
    return minerOnly(name, await this.use(name)).minerSets;
  }

  /** Derives one more set; the active address stays. Throws `MinerWalletNeeded`. */
  deriveNextMinerSet(name: string): Promise<readonly WalletAddress[]> {
    return this.change(name, (wallet) => minerOnly(name, wallet).deriveNextMinerSet());
  }

  /** Throws `UnknownAddress`. */
  async changeActive(name: string, address: string): Promise<void> {
    await this.change(name, (wallet) => wallet.activate(wallet.find(address)));
  }

  /** Changes the addresses of an unlocked wallet, in memory and in the table; neither when the table fails. */
  private async change<T>(name: string, run: (wallet: UnlockedWallet) => T): Promise<T> {
    await this.use(name);
    return this.mutex(name, async () => {
      const wallet = await this.use(name);
      const before = wallet.shape;
      try {
        const result = run(wallet);
        await this.settings.store.setAddresses(name, wallet.shape);
        return result;
      } catch (error) {
        wallet.restoreShape(before);
        throw error;
      }
    });
  }

  private async add(wanted: NewWallet, mnemonic: Mnemonic): Promise<void> {
    const name = this.newName(wanted);
    const { store, unlocked, guard } = this.settings;
    if (await store.find(name)) throw walletExists(name);
    await unlocked.unlocking(name, async (unlocking) => {
      const secret = await this.seal(wanted, mnemonic);
      const seed = await this.seedOf(mnemonic, wanted.passphrase);
      try {
        await guard.whileNoneIsTried(name, currentContext()?.client, (tries) =>
          this.mutex(name, () => this.insert(unlocking, wanted, seed, secret, tries)),
        );
      } finally {
        seed.fill(0);
      }
    });
  }

  /** The seed proves that it is the same wallet; other mnemonics are refused before any password is stretched. */
  private async addOrReplace(wanted: NewWallet, mnemonic: Mnemonic): Promise<void> {
    const name = this.newName(wanted);
    const { unlocked, guard } = this.settings;
    await unlocked.unlocking(name, async (unlocking) => {
      const seed = await this.seedOf(mnemonic, wanted.passphrase);
      try {
        await this.findSame(wanted, seed);
        const secret = await this.seal(wanted, mnemonic);
        await guard.whileNoneIsTried(name, currentContext()?.client, (tries) =>
          this.mutex(name, async () => {
            const row = await this.findSame(wanted, seed);
            if (row) await this.replace(unlocking, row, seed, secret, tries);
            else await this.insert(unlocking, wanted, seed, secret, tries);
          }),
        );
      } finally {
        seed.fill(0);
      }
    });
  }

  private newName({ walletName: name }: NewWallet): string {
    if (!canBeCreated(name)) throw invalidWalletName(name);
    this.settings.unlocked.touch(name);
    return name;
  }

  private async seal({ password, passphrase }: NewWallet, words: Mnemonic): Promise<Buffer> {
    const mnemonic = mnemonicBytes(words);
    const passphraseCheck = passphraseCheckOf(passphrase);
    try {
      const secret = { mnemonic, ...(passphraseCheck !== undefined && { passphraseCheck }) };
      return await sealSecret(secret, password, this.settings.stretch);
    } finally {
      mnemonic.fill(0);
    }
  }

  private seedOf(mnemonic: Mnemonic | Uint8Array, passphrase: string | undefined): Promise<Uint8Array> {
    return seedOf(mnemonic, passphrase, this.settings.stretchMnemonic);
  }

  /** The wallet of that name, if it exists; throws `WalletExists` when it has another seed or is of another kind. */
  private async findSame({ walletName: name, isMiner }: NewWallet, seed: Uint8Array): Promise<WalletRow | undefined> {
    const row = await this.settings.store.find(name);
    if (!row) return undefined;
    if (!row.fingerprint) throw noFingerprint(name);
    if (!isSameFingerprint(row.fingerprint, fingerprintOf(seed, name))) throw anotherWallet(name);
    if (isMiner !== undefined && isMiner !== row.isMiner) throw anotherKind(name, row.isMiner);
    return row;
  }

  private async insert(
    unlocking: Unlocking,
    { walletName: name, isMiner = false }: NewWallet,
    seed: Uint8Array,
    secret: Uint8Array,
    tries: PasswordTries,
  ): Promise<void> {
    const { store, unlocked, groups } = this.settings;
    const fingerprint = fingerprintOf(seed, name);
    const wallet = UnlockedWallet.create(seed, groups, isMiner);
    if (await store.insert({ name, ...wallet.shape, secret, fingerprint }, tries)) unlocked.hold(unlocking, wallet);
    else {
      wallet.forget();
      throw walletExists(name);
    }
  }

  private async replace(
    unlocking: Unlocking,
    row: WalletRow,
    seed: Uint8Array,
    secret: Uint8Array,
    tries: PasswordTries,
  ): Promise<void> {
    if (!(await this.settings.store.replaceSecret(row, secret, tries))) throw anotherWallet(row.name);
    await this.holdKeys(unlocking, row, seed);
  }

  /** Holds the wallet as it is stored now; one that was deleted or replaced meanwhile stays locked. */
  private async hold(
    unlocking: Unlocking,
    opened: WalletRow,
    mnemonic: Uint8Array,
    passphrase: string | undefined,
  ): Promise<void> {
    const row = await this.unchanged(opened);
    if (this.isHeld(row)) return;
    const seed = await this.seedOf(mnemonic, passphrase);
    try {
      if (!row.fingerprint) await this.settings.store.setFingerprint(row.name, fingerprintOf(seed, row.name));
      await this.holdKeys(unlocking, row, seed);
    } finally {
      seed.fill(0);
    }
  }

  /** Retains keys that are in use. */
  private async holdKeys(unlocking: Unlocking, row: WalletRow, seed: Uint8Array): Promise<void> {
    const { unlocked, groups } = this.settings;
    if (!this.isHeld(row)) unlocked.hold(unlocking, await UnlockedWallet.open(seed, groups, row));
  }

  /** Whether the wallet is unlocked already; restarts its timeout. */
  private isHeld({ name }: WalletRow): boolean {
    this.settings.unlocked.touch(name);
    return this.settings.unlocked.get(name) !== undefined;
  }

  /**
   * The wallet, if it still has the password with which it was opened. Meanwhile it may have been deleted, be another
   * one of the same name (`WalletNotFound`), or have a new password (`InvalidPassword`).
   */
  private async unchanged(opened: WalletRow): Promise<WalletRow> {
    const row = await this.settings.store.find(opened.name);
    if (row && Buffer.compare(row.secret, opened.secret) === 0) return row;
    const isSame = row?.fingerprint && opened.fingerprint && isSameFingerprint(row.fingerprint, opened.fingerprint);
    throw isSame ? invalidPassword() : walletNotFound(opened.name);
  }

  /** Opens a wallet by its password, locked or not. The mnemonic is wiped after `use`. */
  private async opened<T>(
    name: string,
    password: string,
    use: (row: WalletRow, secret: WalletSecret) => Promise<T>,
  ): Promise<T> {
    await this.find(name);
    const { row, secret } = await this.settings.guard.guarded(name, currentContext()?.client, async () => {
      const row = await this.find(name);
      const secret = await openSecret(row.secret, password, this.settings.stretch);
      return secret && { row, secret };
    });
    try {
      return await use(row, secret);
    } finally {
      secret.mnemonic.fill(0);
    }
  }

  private async freeName(): Promise<string> {
    const name = generatedName(randomBytes(4));
    return (await this.settings.store.find(name)) ? this.freeName() : name;
  }

  private statusOf(walletName: string): { walletName: string; locked: boolean } {
    return { walletName, locked: this.settings.unlocked.get(walletName) === undefined };
  }

  private async find(name: string): Promise<WalletRow> {
    this.settings.unlocked.touch(name);
    const row = isWalletName(name) ? await this.settings.store.find(name) : undefined;
    if (!row) throw walletNotFound(name);
    return row;
  }
}

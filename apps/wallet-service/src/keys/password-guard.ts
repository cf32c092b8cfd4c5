import { RecentMap } from '@shardnode/core/eviction';
import { keyedMutex } from '@shardnode/core/concurrency';
import { type Clock } from '@shardnode/core/lifecycle';
import { invalidPassword, tooManyWrongPasswords } from '../wallet-errors.js';

/** Attempts of one client on one wallet. */
export interface ClientTries {
  /** `clientOfAddress`; empty when unknown. */
  readonly client: string;
  /** Wrong passwords in a row. */
  readonly failures: number;
  /** Milliseconds: no password of this client is tried before it. */
  readonly blockedUntil: number;
  /** Whether its last right password is remembered: a known client does not wait for the wrong ones of others. */
  readonly isKnown: boolean;
}

/** Attempts of all clients on one wallet. Times are on the wall clock in a store, monotonic in memory. */
export interface PasswordTries {
  /** Known ones first, the last active first of each kind. */
  readonly clients: readonly ClientTries[];
  /** Milliseconds: no password of a client that is not known is tried before it. */
  readonly strangersBlockedUntil: number;
}

/** Store of the tries on each wallet, for the next process too. A wallet without any has `noTries`. */
export interface PasswordTriesStore {
  passwordTries(name: string): Promise<PasswordTries>;
  setPasswordTries(name: string, tries: PasswordTries): Promise<void>;
}

export const noTries: PasswordTries = { clients: [], strangersBlockedUntil: 0 };

/**
 * Longest pause of a client, in milliseconds. An owner may share the address of a guesser: who has given the right
 * password from there waits for a minute at most.
 */
const longestPauseMs = { known: 60_000, stranger: 15 * 60_000 };
/** Wrong passwords that all strangers together may give at once, and milliseconds for each further one. */
const strangers = { atOnce: 20, oneEachMs: 3 * 60_000 };
/**
 * Clients remembered for each wallet. Only right passwords evict a known one. A stranger that is evicted begins with none;
 * the bound of all strangers holds all the same.
 */
const mostClients = { known: 8, strangers: 24 };
/** Wallets in memory; others are read from the store. */
const mostWallets = 1_000;

/**
 * Milliseconds of the pause after the n-th wrong password of a client in a row: the first is free, then 1, 2, 4 ...
 * seconds up to 15 minutes (00-decisions, 7), up to one minute for a known client.
 */
export const pauseAfter = (failures: number, isKnown = false): number =>
  failures <= 1 ? 0 : Math.min(1000 * 2 ** (failures - 2), isKnown ? longestPauseMs.known : longestPauseMs.stranger);

const clientsWith = (own: ClientTries, { clients }: PasswordTries): ClientTries[] => {
  const all = [own, ...clients.filter(({ client }) => client !== own.client)];
  return [
    ...all.filter(({ isKnown }) => isKnown).slice(0, mostClients.known),
    ...all.filter(({ isKnown }) => !isKnown).slice(0, mostClients.strangers),
  ];
};

/** The tries after one more wrong password, given `now`. */
const afterWrongOne = (own: ClientTries, before: PasswordTries, now: number): PasswordTries => {
  const failures = own.failures + 1;
  const blockedUntil = now + pauseAfter(failures, own.isKnown);
  const { atOnce, oneEachMs } = strangers;
  const full = now - (atOnce - 1) * oneEachMs;
  return {
    clients: clientsWith({ ...own, failures, blockedUntil }, before),
    strangersBlockedUntil: own.isKnown
      ? before.strangersBlockedUntil
      : Math.max(before.strangersBlockedUntil, full) + oneEachMs,
  };
};

/** The tries after the right password. A client without a name stays a stranger: it could be anybody. */
const afterRightOne = (client: string, before: PasswordTries): PasswordTries => ({
  ...before,
  clients: clientsWith({ client, failures: 0, blockedUntil: 0, isKnown: client !== '' }, before),
});

const shiftedBy = (ms: number, { clients, strangersBlockedUntil }: PasswordTries): PasswordTries => ({
  clients: clients.map((one) => ({ ...one, blockedUntil: Math.ceil(one.blockedUntil + ms) })),
  strangersBlockedUntil: Math.ceil(strangersBlockedUntil + ms),
});

/** No pause is longer than it was made, however the wall clock jumped while no process ran. */
const withoutJumps = ({ clients, strangersBlockedUntil }: PasswordTries, now: number): PasswordTries => ({
  clients: clients.map((one) => ({
    ...one,
    blockedUntil: Math.min(one.blockedUntil, now + pauseAfter(one.failures, one.isKnown)),
  })),
  strangersBlockedUntil: Math.min(strangersBlockedUntil, now + strangers.oneEachMs),
});

/**
 * Slows down wrong passwords, per wallet and client, so that who guesses waits and the owner does not:
 *
 * - each client has pauses of its own (`pauseAfter`), and its right password ends them;
 * - clients that never opened the wallet have a bound together besides: 20 wrong ones at once, then one in 3 minutes.
 *
 * An attempt is counted as wrong in the store before it is made, and taken back when the password was right or the
 * attempt could not be made. Therefore neither parallel attempts nor a killed process gain any.
 */
export class PasswordGuard {
  private readonly mutex = keyedMutex();
  /** On the monotonic clock: jumps of the wall clock neither shorten nor prolong a pause. */
  private readonly tries = new RecentMap<string, PasswordTries>(mostWallets);

  constructor(
    private readonly store: PasswordTriesStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `open` unless the client must wait (`TooManyWrongPasswords`); undefined from it is `InvalidPassword`.
   * @param client that sent the password (`clientOfAddress`); undefined when unknown
   */
  guarded<T>(name: string, client: string | undefined, open: () => Promise<T | undefined>): Promise<T> {
    return this.mutex(name, () => this.attempt(name, client ?? '', open));
  }

  /**
   * Runs a change that stores a new password with its tries, while no password is tried. All pauses end, and the client
   * is the one that is known.
   */
  whileNoneIsTried<T>(
    name: string,
    client: string | undefined,
    setPassword: (tries: PasswordTries) => Promise<T>,
  ): Promise<T> {
    return this.mutex(name, async () => {
      const result = await setPassword(afterRightOne(client ?? '', noTries));
      // Read from the store again: its times are on the wall clock.
      this.tries.delete(name);
      return result;
    });
  }

  private async attempt<T>(name: string, client: string, open: () => Promise<T | undefined>): Promise<T> {
    const before = await this.load(name);
    const known = before.clients.find((one) => one.client === client);
    const own = known ?? { client, failures: 0, blockedUntil: 0, isKnown: false };
    this.refuseWhilePaused(own, before);
    await this.save(name, afterWrongOne(own, before, this.clock.monotonic()));
    const opened = await this.tryOnce(name, before, open);
    if (opened === undefined) {
      // The pause counts from the response, not from the attempt, which may have queued for its key stretching.
      this.tries.set(name, afterWrongOne(own, before, this.clock.monotonic()));
      throw invalidPassword(own.failures + 1, pauseAfter(own.failures + 1, own.isKnown));
    }
    await this.save(name, afterRightOne(client, before));
    return opened;
  }

  /** An attempt that could not be made is no wrong password. */
  private async tryOnce<T>(
    name: string,
    before: PasswordTries,
    open: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      return await open();
    } catch (error) {
      await this.save(name, before);
      throw error;
    }
  }

  private refuseWhilePaused(own: ClientTries, { strangersBlockedUntil }: PasswordTries): void {
    const leftOf = (until: number): number => Math.ceil(until - this.clock.monotonic());
    const ownLeft = leftOf(own.blockedUntil);
    const left = Math.max(ownLeft, own.isKnown ? 0 : leftOf(strangersBlockedUntil));
    if (left <= 0) return;
    throw tooManyWrongPasswords(left === ownLeft ? own.failures : undefined, this.clock.now() + left, left);
  }

  private async load(name: string): Promise<PasswordTries> {
    const loaded = this.tries.get(name);
    if (loaded) return loaded;
    const monotonic = this.clock.monotonic();
    const stored = shiftedBy(monotonic - this.clock.now(), await this.store.passwordTries(name));
    const tries = withoutJumps(stored, monotonic);
    this.tries.set(name, tries);
    return tries;
  }

  private async save(name: string, tries: PasswordTries): Promise<void> {
    await this.store.setPasswordTries(name, shiftedBy(this.clock.now() - this.clock.monotonic(), tries));
    this.tries.set(name, tries);
  }
}

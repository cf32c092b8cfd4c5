import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient } from '@shardnode/messages';
import { type BuildRefusalName } from '@shardnode/protocol/building';
import { amountText } from '@shardnode/protocol/primitives';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';
import { lockupScriptOf } from './signed-transactions.js';

/** Refusals that another address with coins or tokens would avoid. */
const lackOfCoins: ReadonlySet<string> = new Set<BuildRefusalName>([
  'NotEnoughBalance',
  'NotEnoughBalanceForFee',
  'NotEnoughToken',
  'NewTokensInOutputs',
  'ChangeTooSmall',
]);

/** Addresses that are tried, those with the most coins first. */
const mostTried = 8;

/** A request to the active address of a wallet that this address cannot pay. */
export interface AskedAddress {
  readonly wallet: UnlockedWallet;
  readonly walletName: string;
  readonly sender: WalletAddress;
  /** Whether another address could pay: its own build, which spends nothing. May throw. */
  readonly could: (other: WalletAddress) => Promise<boolean>;
}

interface Advice {
  readonly text: string;
  /** Addresses that could pay; empty: none. */
  readonly payers: readonly string[];
}

/** Finds the addresses of a wallet that could pay in place of the active one, for the text of its refusal. */
export class OtherAddresses {
  /** Milliseconds of each of its requests: an advice must not make its error late. */
  readonly deadlineMs = 2_000;
  /** Milliseconds of an advice at most. */
  readonly mostMs = 2 * this.deadlineMs;

  constructor(private readonly groups: GroupClient) {}

  /** The same error with the advice at the end of its text, and as a fact; other errors unchanged. Never throws. */
  async advised(error: unknown, asked: AskedAddress): Promise<unknown> {
    if (!(error instanceof ServiceError) || !lackOfCoins.has(error.code)) return error;
    const { text, payers } = await this.advice(asked);
    const facts = { walletAdvice: text, ...(payers.length > 0 ? { payers: payers.join(',') } : {}) };
    return new ServiceError(error.kind, error.code, `${error.detail} ${text}`, { ...error.data, ...facts });
  }

  async advice({ wallet, walletName, sender, could }: AskedAddress): Promise<Advice> {
    const whose = `The address asked is ${sender.address}, the active one of wallet ${walletName}`;
    const owners = await this.owners(wallet, sender);
    const tried = await Promise.allSettled(owners.slice(0, mostTried).map(({ owner }) => could(owner)));
    const payers = owners
      .filter((_, index) => tried[index]?.status === 'fulfilled' && tried[index].value)
      .map(({ owner }) => owner.address);
    const path = `POST /wallets/${walletName}`;
    if (payers.length > 0)
      return {
        text: `${whose}. ${payers.join(', ')} could pay: ${path}/change-active-address makes one active.`,
        payers,
      };
    if (owners.length === 0) return { text: `${whose}; no other one has coins that can be spent.`, payers };
    const total = owners.reduce((sum, { spendable }) => sum + spendable, 0n);
    const howMany = owners.length === 1 ? 'another one has' : `${owners.length} others have`;
    return {
      text: `${whose}; ${howMany} ${amountText(total)}, not enough alone: ${path}/sweep-all-addresses brings all coins to one address.`,
      payers,
    };
  }

  /** Other addresses with coins that can be spent, the richest first; without those whose group does not answer. */
  private async owners(wallet: UnlockedWallet, sender: WalletAddress) {
    const others = wallet.addresses.filter(({ address }) => address !== sender.address);
    const balances = await Promise.allSettled(others.map((owner) => this.spendable(owner)));
    return balances
      .flatMap((outcome, index) =>
        outcome.status === 'fulfilled' ? [{ owner: others[index]!, spendable: outcome.value }] : [],
      )
      .filter(({ spendable }) => spendable > 0n)
      .sort((a, b) => (a.spendable > b.spendable ? -1 : 1));
  }

  /** attoCoin */
  private async spendable(owner: WalletAddress): Promise<bigint> {
    const request = { lockupScript: lockupScriptOf(owner), mempool: true };
    const { deadlineMs } = this;
    const { balance, lockedBalance } = await this.groups.request(owner.group, 'read.address.balance', request, {
      deadlineMs,
    });
    return BigInt(balance) - BigInt(lockedBalance);
  }
}

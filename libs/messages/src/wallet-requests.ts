import { type DestinationItem, type UnminablePolicy, type UnsweptOutputs } from './building-requests.js';
import { type ReportedHealth } from './node-requests.js';
import { requestTable, type RequestDefinition } from './request-definition.js';
import { walletPayloads } from './wallet-request-schemas.js';

/** Requests to the wallet-service. Secrets (mnemonic, passphrase, password) appear in requests and two replies only. */
interface WalletName {
  readonly walletName: string;
}
interface WalletStatus extends WalletName {
  readonly locked: boolean;
}
export interface AddressInfoItem {
  readonly address: string;
  readonly publicKey: string;
  readonly group: number;
  readonly path: string;
}
export interface WalletTransferReply {
  readonly txId: string;
  readonly fromGroup: number;
  readonly toGroup: number;
}
/** A sweep of one or all addresses of a wallet (protocol 07 §4.12, §4.13). */
interface WalletSweepRequest extends WalletName {
  /** Lockup script of the receiver, hexadecimal. */
  readonly destination: string;
  readonly lockTime?: string;
  readonly gasAmount?: number;
  readonly gasPrice?: string;
  readonly unminable?: UnminablePolicy;
}
/** An address that a sweep has not emptied, and why. */
export interface SkippedAddress extends UnsweptOutputs {
  readonly address: string;
  /** A transaction of which it is unknown whether it was sent. */
  readonly txId?: string;
}
interface WalletSweepReply {
  /** The last submitted transaction comes first. */
  readonly results: readonly WalletTransferReply[];
  /** In the order of the addresses. */
  readonly skipped: readonly SkippedAddress[];
  /** Where the coins of the wallet are, if the active address has none to sweep. */
  readonly walletAdvice?: string;
}
export interface WalletRequests {
  /** Without a wallet: for the health of all services. */
  health: RequestDefinition<Record<string, never>, ReportedHealth>;
  create: RequestDefinition<
    WalletName & {
      readonly password: string;
      readonly passphrase?: string;
      readonly mnemonicSize?: number;
      readonly isMiner?: boolean;
    },
    WalletName & { readonly mnemonic: string }
  >;
  restore: RequestDefinition<
    {
      readonly walletName?: string;
      readonly password: string;
      readonly mnemonic: string;
      readonly passphrase?: string;
      readonly isMiner?: boolean;
    },
    WalletName
  >;
  list: RequestDefinition<Record<string, never>, { readonly wallets: readonly WalletStatus[] }>;
  get: RequestDefinition<WalletName, WalletStatus>;
  lock: RequestDefinition<WalletName, Record<string, never>>;
  unlock: RequestDefinition<
    WalletName & { readonly password: string; readonly passphrase?: string },
    Record<string, never>
  >;
  delete: RequestDefinition<WalletName & { readonly password: string }, Record<string, never>>;
  addresses: RequestDefinition<
    WalletName,
    { readonly activeAddress: string; readonly addresses: readonly AddressInfoItem[] }
  >;
  'address-info': RequestDefinition<WalletName & { readonly address: string }, AddressInfoItem>;
  balances: RequestDefinition<
    WalletName,
    {
      readonly totalBalance: string;
      readonly balances: readonly {
        readonly address: string;
        readonly balance: string;
        readonly lockedBalance: string;
      }[];
    }
  >;
  sign: RequestDefinition<WalletName & { readonly data: string }, { readonly signature: string }>;
  transfer: RequestDefinition<
    WalletName & {
      readonly destinations: readonly DestinationItem[];
      readonly gasAmount?: number;
      readonly gasPrice?: string;
      readonly gasFormula: 'document' | 'reference';
      readonly unminable?: UnminablePolicy;
    },
    WalletTransferReply
  >;
  'sweep-active-address': RequestDefinition<WalletSweepRequest, WalletSweepReply>;
  'sweep-all-addresses': RequestDefinition<WalletSweepRequest, WalletSweepReply>;
  'derive-next-address': RequestDefinition<WalletName & { readonly group?: number }, AddressInfoItem>;
  'change-active-address': RequestDefinition<WalletName & { readonly address: string }, Record<string, never>>;
  'miner-addresses': RequestDefinition<
    WalletName,
    { readonly sets: readonly { readonly addresses: readonly AddressInfoItem[] }[] }
  >;
  'derive-next-miner-addresses': RequestDefinition<WalletName, { readonly addresses: readonly AddressInfoItem[] }>;
  'reveal-mnemonic': RequestDefinition<WalletName & { readonly password: string }, { readonly mnemonic: string }>;
}

export type WalletRequestName = keyof WalletRequests;

const payloads = walletPayloads;
const gatewayOnly = { senders: ['gateway'] as const };
/**
 * Long deadlines, because key stretching takes 0.3 s and only one or two run at once, and a sweep has many
 * transactions.
 */
export const walletRequests = requestTable<WalletRequests>({
  health: { ...gatewayOnly, deadlineMs: 1_000, schema: payloads.nothing },
  create: { ...gatewayOnly, deadlineMs: 30_000, schema: payloads.create },
  restore: { ...gatewayOnly, deadlineMs: 30_000, schema: payloads.restore },
  list: { ...gatewayOnly, deadlineMs: 2_000, schema: payloads.nothing },
  get: { ...gatewayOnly, deadlineMs: 2_000, schema: payloads.wallet },
  lock: { ...gatewayOnly, deadlineMs: 2_000, schema: payloads.wallet },
  unlock: { ...gatewayOnly, deadlineMs: 30_000, schema: payloads.unlock },
  delete: { ...gatewayOnly, deadlineMs: 30_000, schema: payloads.password },
  addresses: { ...gatewayOnly, deadlineMs: 5_000, schema: payloads.wallet },
  'address-info': { ...gatewayOnly, deadlineMs: 2_000, schema: payloads.address },
  balances: { ...gatewayOnly, deadlineMs: 10_000, schema: payloads.wallet },
  sign: { ...gatewayOnly, deadlineMs: 2_000, schema: payloads.sign },
  // Transfers of one address run one at a time: the deadline allows 60 concurrent ones on a busy machine.
  transfer: { ...gatewayOnly, deadlineMs: 28_000, schema: payloads.transfer },
  'sweep-active-address': { ...gatewayOnly, deadlineMs: 60_000, schema: payloads.sweep },
  'sweep-all-addresses': { ...gatewayOnly, deadlineMs: 60_000, schema: payloads.sweep },
  'derive-next-address': { ...gatewayOnly, deadlineMs: 5_000, schema: payloads.deriveNext },
  'change-active-address': { ...gatewayOnly, deadlineMs: 5_000, schema: payloads.address },
  'miner-addresses': { ...gatewayOnly, deadlineMs: 5_000, schema: payloads.wallet },
  'derive-next-miner-addresses': { ...gatewayOnly, deadlineMs: 5_000, schema: payloads.wallet },
  'reveal-mnemonic': { ...gatewayOnly, deadlineMs: 30_000, schema: payloads.password },
});

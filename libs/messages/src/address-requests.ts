/** Requests to a group-node about balances and outputs of addresses. */
import { groupPayloads } from './group-request-schemas.js';
import { type TokenAmount } from './request-items.js';
import { type RequestDefinition, requestTable } from './request-definition.js';

export interface BalanceReply {
  readonly balance: string;
  readonly lockedBalance: string;
  readonly tokenBalances: readonly TokenAmount[];
  readonly lockedTokenBalances: readonly TokenAmount[];
  readonly utxoNum: number;
}
export interface UtxoItem {
  readonly hint: number;
  readonly key: string;
  readonly amount: string;
  readonly tokens: readonly TokenAmount[];
  /** Milliseconds, decimal text. */
  readonly lockTime: string;
  readonly additionalData: string;
}
/** Position in a walk over the outputs of an address. */
export interface UtxoPosition {
  readonly amount: string;
  readonly key: string;
}
/**
 * The parts of a walk, in this order, so that outputs stored during the walk are not missed: pending ones (blocks and
 * mempool, by output reference), then stored ones without and with a token, by amount and key.
 */
export type UtxoPart = 'pending' | 'plain' | 'bearing';
export interface AddressRequest {
  /** Encoded lockup script, hex. */
  readonly lockupScript: string;
}

export interface AddressRequests {
  'read.address.balance': RequestDefinition<AddressRequest & { readonly mempool: boolean }, BalanceReply>;
  'read.address.utxos': RequestDefinition<
    AddressRequest & { readonly offset?: number; readonly limit?: number },
    /** `more`: requested outputs are missing, because they are too many for one message. */
    { readonly utxos: readonly UtxoItem[]; readonly more?: true }
  >;
  /** One page of one part of the outputs of an address; `next`: position to continue after. */
  'read.address.walk': RequestDefinition<
    AddressRequest & { readonly part: UtxoPart; readonly after?: UtxoPosition },
    { readonly utxos: readonly UtxoItem[]; readonly next?: UtxoPosition }
  >;
}

const payloads = groupPayloads;

export const addressRequests = requestTable<AddressRequests>({
  'read.address.balance': { senders: ['gateway', 'wallet-service'], deadlineMs: 5_000, schema: payloads.balance },
  'read.address.utxos': { senders: ['gateway', 'wallet-service'], deadlineMs: 5_000, schema: payloads.outputs },
  'read.address.walk': { senders: ['gateway'], deadlineMs: 10_000, schema: payloads.walk },
});

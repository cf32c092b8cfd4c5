import { ServiceError } from '@shardnode/core/errors';
import { type SkippedAddress } from '@shardnode/messages';
import { type WalletAddress } from './keys/unlocked-wallet.js';

/** Addresses that an error names; of more it says how many. */
const mostNamed = 100;

/** The address of a failed sweep. */
export const skippedBy = ({ address }: WalletAddress, { code, detail, data }: ServiceError): SkippedAddress => {
  const { txId } = data;
  return { address, code, detail, ...(typeof txId === 'string' ? { txId } : {}) };
};

/** `A, B: reason. C: another reason`: addresses with the same reason together, in order. */
const namedReasons = (skipped: readonly SkippedAddress[]): string => {
  const byReason = new Map<string, string[]>();
  for (const { address, detail } of skipped.slice(0, mostNamed))
    byReason.set(detail, [...(byReason.get(detail) ?? []), address]);
  const reasons = [...byReason].map(([detail, addresses]) => `${addresses.join(', ')}: ${detail.replace(/\.$/, '')}`);
  const others = skipped.length - mostNamed;
  return [...reasons, ...(others > 0 ? [`and ${others} more addresses`] : [])].join('. ');
};

/** A failure that a repeated request may not meet. */
const mayPass = ({ kind }: ServiceError): boolean => kind !== 'refused' && kind !== 'invalid-request';

/**
 * The error of a sweep that sent nothing: the first failure that may pass, or else the first one. It names each address
 * that was skipped; the fact `skipped` is that part of the text.
 */
export const nothingSwept = (failures: readonly ServiceError[], skipped: readonly SkippedAddress[]): ServiceError => {
  const { kind, code, data } = failures.find(mayPass) ?? failures[0]!;
  const named = namedReasons(skipped);
  return new ServiceError(kind, code, `No address was swept. ${named}`, { ...data, skipped: named });
};

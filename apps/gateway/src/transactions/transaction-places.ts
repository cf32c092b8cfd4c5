import { Injectable } from '@nestjs/common';
import { fingerprintOf } from '../caches/fingerprint.js';
import { NearFirst } from '../caches/near-first.js';
import { ApiSettings } from '../settings/api-settings.js';

/**
 * Milliseconds for which a group is assumed to show a block: long enough for a client that polls, short for a group
 * that restarted.
 */
const shownMs = 10_000;
const shown = 1;

/**
 * Cache of the gateway that saves queries (architecture, decision 16): the group of a transaction's inputs, which
 * follows from its bytes, and the fact that a group shows a block, for a short time. Other programs may write into the
 * shared cache too. Therefore a cached group is only the first one queried, never a response: when it does not have the
 * transaction, all groups are queried.
 */
@Injectable()
export class TransactionPlaces {
  private readonly groups: number;
  /** Fingerprint of the network. */
  private readonly fingerprint: string;

  constructor(
    private readonly caches: NearFirst,
    { network }: ApiSettings,
  ) {
    this.groups = network.groups;
    this.fingerprint = fingerprintOf(network);
  }

  remember(txId: string, fromGroup: number): Promise<void> {
    return this.caches.remember(this.placeKey(txId), Uint8Array.of(fromGroup));
  }

  /** A group of the network, or undefined. */
  async fromGroup(txId: string): Promise<number | undefined> {
    const value = await this.caches.fact(this.placeKey(txId));
    const [group] = value ?? [];
    return value?.length === 1 && group !== undefined && group < this.groups ? group : undefined;
  }

  rememberShown(blockHash: string, group: number): Promise<void> {
    return this.caches.remember(this.shownKey(blockHash, group), Uint8Array.of(shown), shownMs);
  }

  async isShown(blockHash: string, group: number): Promise<boolean> {
    const value = await this.caches.passing(this.shownKey(blockHash, group));
    return value?.length === 1 && value[0] === shown;
  }

  private placeKey(txId: string): string {
    return `place:${this.fingerprint}:${txId}`;
  }

  private shownKey(blockHash: string, group: number): string {
    return `shown:${this.fingerprint}:${group}:${blockHash}`;
  }
}

import { Injectable } from '@nestjs/common';
import { fingerprintOf } from '../caches/fingerprint.js';
import { NearFirst } from '../caches/near-first.js';
import { ApiSettings } from '../settings/api-settings.js';

/** How long a group is believed to show a block: long enough for a client that polls, short for a group that restarted. */
const shownMs = 10_000;
const shown = 1;

/**
 * What the gateway remembers so that it asks less (architecture, decision 16): the group of a transaction's inputs, which is a
 * fact of its bytes, and that a group shows a block, which is forgotten soon. Others may write into the shared cache too, so a
 * group that comes from it is where to ask first and never an answer: who does not find it there asks all.
 */
@Injectable()
export class TransactionPlaces {
  private readonly groups: number;
  /** Of the network. */
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

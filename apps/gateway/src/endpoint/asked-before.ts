import { RecentMap } from '@shardnode/core/cache';
import { type Asking } from './plans.js';

/** A request that was read, without a body. */
export interface Asked {
  /** Of its endpoint, as the server knows it. */
  readonly route: string;
  readonly asking: Asking<unknown>;
}

/** Requests, and characters of one: some megabytes together. */
const limits = { requests: 10_000, characters: 300 };

/**
 * What reading a request gave, by its whole URL: the URL is all there is to a request without a body, so reading it again would
 * give the same. Answers are not kept here, and neither are errors.
 */
export class AskedBefore {
  private readonly known = new RecentMap<string, Asked>(limits.requests);

  get(url: string): Asked | undefined {
    return this.known.get(url);
  }

  keep(url: string, asked: Asked): void {
    if (url.length <= limits.characters) this.known.set(url, asked);
  }
}

import { RecentMap } from '@shardnode/core/cache';
import { type Asking } from './plans.js';

/** Requests, and characters of one: some megabytes together. */
const limits = { requests: 10_000, characters: 300 };

/**
 * What reading a request gave, by its whole URL: the URL is all there is to a request without a body, so reading it again would
 * give the same. Answers are not kept here, and neither are errors.
 */
export class AskedBefore {
  private readonly known = new RecentMap<string, Asking<unknown>>(limits.requests);

  get(url: string): Asking<unknown> | undefined {
    return this.known.get(url);
  }

  keep(url: string, asking: Asking<unknown>): void {
    if (url.length <= limits.characters) this.known.set(url, asking);
  }
}

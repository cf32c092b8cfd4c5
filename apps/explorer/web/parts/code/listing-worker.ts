import { type CodeKind, listingsOf } from './listing.js';

/** What is asked: the listings of code are the answer. */
export interface ListingRequest {
  readonly kind: CodeKind;
  /** Hexadecimal bytes. */
  readonly code: string;
}

addEventListener('message', ({ data: { kind, code } }: MessageEvent<ListingRequest>) =>
  postMessage(listingsOf(kind, code)),
);

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vectorTools } from '../vectors/vector-files.js';
import { type Exchange, type Transcript } from './transcript-files.js';

export interface ReplayOptions {
  readonly expect: 'ours' | 'reference';
  readonly profile: 'document' | 'reference';
  /** How the network names its coin. */
  readonly brand: { readonly name: string; readonly symbol: string };
  /** ObserveResponse of each exchange, with what differs from what is expected. */
  readonly print: (isAsExpected: boolean, exchange: Exchange, differences: readonly string[]) => void;
}

/** Sends the requests of a conversation in order, and compares each answer. */
export type Replay = (
  baseUrl: string,
  transcript: Transcript,
  options: ReplayOptions,
) => Promise<{ readonly pass: number; readonly fail: number; readonly skipped: number }>;

/** The program that belongs to the conversations. */
export const loadReplay = async (): Promise<Replay> => {
  const url = pathToFileURL(join(vectorTools, 'replay-transcripts.mjs')).href;
  return ((await import(url)) as { readonly replay: Replay }).replay;
};

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vectorTools } from '../vectors/vector-files.js';
import { type Exchange, type Transcript } from './transcript-files.js';

export interface ReplayOptions {
  readonly expect: 'ours' | 'reference';
  readonly profile: 'document' | 'reference';
  /** Names of the network's coin. */
  readonly brand: { readonly name: string; readonly symbol: string };
  /** Called for each exchange, with its differences from the expected response. */
  readonly print: (isAsExpected: boolean, exchange: Exchange, differences: readonly string[]) => void;
}

/** Sends the requests of a transcript in order, and compares each response. */
export type Replay = (
  baseUrl: string,
  transcript: Transcript,
  options: ReplayOptions,
) => Promise<{ readonly pass: number; readonly fail: number; readonly skipped: number }>;

/** The program of the transcripts. */
export const loadReplay = async (): Promise<Replay> => {
  const url = pathToFileURL(join(vectorTools, 'replay-transcripts.mjs')).href;
  return ((await import(url)) as { readonly replay: Replay }).replay;
};

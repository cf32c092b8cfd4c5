import { readVectors } from '../vectors/vector-files.js';

/** One request and what is expected of its answer; the forms are those of the replay program. */
export interface Exchange {
  readonly step: number;
  readonly name: string;
  readonly request: { readonly method: string; readonly path: string };
  /** What a reference node answered, and where we answer otherwise. */
  readonly reference?: unknown;
  readonly ours?: unknown;
  /** What later exchanges take from the answer: paths in its body, by the name of the variable. */
  readonly capture?: Readonly<Record<string, string>>;
}

/** A recorded conversation with a fresh network. */
export interface Transcript {
  readonly name: string;
  readonly title: string;
  readonly network: {
    /** `no-auto-mine`: nothing is mined unless it is asked for. */
    readonly variant: 'default' | 'api-key' | 'no-auto-mine';
    readonly apiKey?: string;
  };
  readonly exchanges: readonly Exchange[];
}

/** Those that need no compiler. */
export const transcriptNames = [
  '01-transport',
  '02-api-key',
  '03-wallets',
  '04-miner-wallet',
  '05-wallet-transfers',
  '06-infos',
  '07-addresses',
  '08-blockflow',
  '10-build',
  '11-transactions',
  '12-multisig',
  '13-sweep',
  '14-mempool-miners-utils',
  '15-many-senders',
  '31-test-contract-from-bytecode',
  '32-contract-life-from-bytecode',
  '33-event-pages-from-bytecode',
] as const;

/** @throws Error when there is no such file in the specification and in the project's own copies */
export const readTranscript = (name: string): Transcript => readVectors<Transcript>(`http-transcripts/${name}.json`);

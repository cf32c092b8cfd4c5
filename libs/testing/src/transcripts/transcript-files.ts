import { readVectors } from '../vectors/vector-files.js';

/** One request and its expected response, in the format of the replay program. */
export interface Exchange {
  readonly step: number;
  readonly name: string;
  readonly request: { readonly method: string; readonly path: string };
  /** Response of a reference node, if ours differs. */
  readonly reference?: unknown;
  readonly ours?: unknown;
  /** Values for later exchanges: paths in the response body, by the name of the variable. */
  readonly capture?: Readonly<Record<string, string>>;
}

/** A recorded transcript with a new network. */
export interface Transcript {
  readonly name: string;
  readonly title: string;
  readonly network: {
    /** `no-auto-mine`: nothing is mined without a request. */
    readonly variant: 'default' | 'api-key' | 'no-auto-mine';
    readonly apiKey?: string;
  };
  readonly exchanges: readonly Exchange[];
}

/** The recorded transcripts; those from 31 on repeat 21 to 23 with bytecode that was compiled elsewhere. */
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
  '20-compile',
  '21-test-contract',
  '22-contract-life',
  '23-event-pages',
  '31-test-contract-from-bytecode',
  '32-contract-life-from-bytecode',
  '33-event-pages-from-bytecode',
] as const;

/** @throws Error if neither the specification nor the project's own copies have the file */
export const readTranscript = (name: string): Transcript => readVectors<Transcript>(`http-transcripts/${name}.json`);

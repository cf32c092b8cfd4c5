import { type Database } from '@shardnode/core/database';
import { type Environment, type ProcessEnd } from './child-process.js';

/** Facts that a network reports when it is ready. */
export interface Ready {
  readonly baseUrl: string;
  readonly docsUrl: string;
  readonly dataDir: string;
  readonly mining: string;
  readonly networkId: number;
  /** Where health and metrics of each service are. */
  readonly services: readonly { readonly name: string; readonly url: string }[];
  readonly accounts: readonly {
    readonly address: string;
    readonly group: number;
    readonly balance: string;
    readonly privateKey?: string;
  }[];
  readonly mnemonic: string;
  /** Of `npm start` and `npm run cluster` alone: the push of blocks. */
  readonly explorerUrl?: string;
  readonly wsUrl?: string;
  /** The same, with `DEV_WALLET=true`. */
  readonly wallet?: { readonly name: string; readonly password: string };
}

/** A whole network as a test drives it, however many processes it has. */
export interface Deployment {
  readonly name: string;
  /** Of the last start. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Settings hold for this start and all later ones. Fails unless the network is ready in time. */
  start(settings?: Environment, ...args: readonly string[]): Promise<Ready>;
  /** Starts and does not wait; `ready` or the end comes later. Settings hold for this start only. */
  begin(settings?: Environment, ...args: readonly string[]): Promise<Start>;
  /** Stops in order, and starts again with the same data. */
  restart(settings?: Environment): Promise<Ready>;
  /** As Ctrl-C does. */
  stop(): Promise<ProcessEnd>;
  /** All processes at once, without a chance to write anything. */
  kill9(): Promise<void>;
  /** What all processes have written since the first start. */
  log(): string;
  /** The databases of a network that does not run. */
  openDatabases(): Promise<OpenDatabases>;
  /** Stops what runs and removes the data. */
  remove(): Promise<void>;
}

export interface OpenDatabases {
  /** `group_0` ... */
  service(schema: string): Database;
  close(): Promise<void>;
}

/** A start whose end a test wants to see. */
export interface Start {
  readonly pid: number;
  readonly ready: Promise<Ready>;
  readonly ended: Promise<ProcessEnd>;
  kill9(): void;
  standardError(): string;
  standardOutput(): string;
}

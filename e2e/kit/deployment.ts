import { type Environment, type ProcessEnd } from './child-process.js';
import { embeddedDeployment } from './embedded-deployment.js';

/** What a network says of itself when it is ready. */
export interface Ready {
  readonly baseUrl: string;
  readonly docsUrl: string;
  readonly dataDir: string;
  readonly mining: string;
  readonly networkId: number;
  readonly accounts: readonly { readonly address: string; readonly group: number; readonly balance: string }[];
  readonly mnemonic: string;
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
  /** Everything that all processes have written since the first start. */
  log(): string;
  /** Stops what runs and removes the data. */
  remove(): Promise<void>;
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

/** By `DEPLOYMENT`: embedded (the default); the others come with the second set of adapters. */
export const deploymentUnderTest = (settings: Environment = {}): Deployment => {
  const wanted = process.env['DEPLOYMENT'] ?? 'embedded';
  if (wanted !== 'embedded') throw new Error(`DEPLOYMENT must be embedded, not ${wanted}`);
  return embeddedDeployment(settings);
};

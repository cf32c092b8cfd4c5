import { type Behaviour, type HostileRequest } from './flooding-client.js';
import { type FloodedNetwork } from './flooded-network.js';

/** One kind of flood: a cheap request or behaviour, repeated over 100 connections of one client. */
export interface Flood {
  readonly name: string;
  /** Default: `ask`. */
  readonly behaviour?: Behaviour;
  /** Where it is sent: the API, its push of blocks, or health of a group-node; default: the API. */
  readonly at?: 'push' | 'group-node';
  readonly requests: (network: FloodedNetwork) => readonly HostileRequest[];
}

/** Floods of one network, started for them alone. */
export interface FloodSection {
  readonly name: string;
  /** Settings other than those of `npm start`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly floods: (network: FloodedNetwork) => readonly Flood[];
}

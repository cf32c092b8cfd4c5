import { type SecretReader } from '@shardnode/core/configuration';
import { type IntervalType } from './blocks/buckets.js';

/** Longest spans of charts in days, by the length of their buckets (protocol 08 §2.2). */
export type SpanLimits = Readonly<Record<IntervalType, number>>;

/** Bounds of an exported file (protocol 08 §5.10). */
export interface ExportLimits {
  readonly transactions: number;
  readonly days: number;
}

/** Facts about the network and limits that the API needs (protocol 08 §2.2). */
export abstract class ExplorerSettings {
  /** Number of groups of the network. */
  abstract readonly groups: number;
  /** Largest number of rows before a page. */
  abstract readonly maxOffset: number;
  /** A block this many blocks below the head of its chain is final (protocol 08 §4.12). */
  abstract readonly finalityDepth: number;
  abstract readonly coinSymbol: string;
  /** Milliseconds. */
  abstract readonly blockTargetTimeMs: number;
  /** Addresses whose coins are not in circulation. */
  abstract readonly reservedAddresses: readonly string[];
  /** Clients of the stream of this process (protocol 08 §6). */
  abstract readonly streamMaxClients: number;
  /** Longest spans of charts and of histories of amounts, in days. */
  abstract readonly chartDays: SpanLimits;
  abstract readonly historyDays: SpanLimits;
  abstract readonly exportLimits: ExportLimits;
  /** Where browsers find the API of the node; undefined: it is not known. */
  abstract readonly nodeApiUrl: string | undefined;
  /** The token of operators; undefined: they have no operations. */
  abstract readonly adminToken: SecretReader;
  /** Commit that the explorer was built from. */
  abstract readonly commit: string;
}

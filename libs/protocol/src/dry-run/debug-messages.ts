import { addressOf } from '../address/index.js';
import { type Hash } from '../primitives/index.js';
import { type LogEntry } from '../state/index.js';

/** A debug message of a contract, for its developers. */
export interface DebugMessage {
  readonly contractId: Hash;
  readonly message: string;
}

/** protocol 05 §13.2 */
const debugIndex = -3;

const utf8 = new TextDecoder();

/** Undefined for other events, and for events that a contract itself gives that index with other fields (protocol 07 §17, 7). */
export const debugMessageOf = ({ contractId, eventIndex, fields }: LogEntry): DebugMessage | undefined => {
  const [field] = fields;
  if (eventIndex !== debugIndex || fields.length !== 1 || field?.type !== 'ByteVec') return undefined;
  return { contractId, message: utf8.decode(field.value) };
};

/** A line for each debug message (protocol 05 §14.4). */
export const debugText = (logged: readonly LogEntry[]): string =>
  logged
    .flatMap((entry) => debugMessageOf(entry) ?? [])
    .map(({ contractId, message }) => `> Contract @ ${addressOf({ kind: 'p2c', contractId })} - ${message}\n`)
    .join('');

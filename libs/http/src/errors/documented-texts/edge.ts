import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText, textOf } from './documented-text.js';

/** Texts of the rules for a range of entries, by the fact `rule`; the last one also contains its limit. */
const rangeRules: Readonly<Record<string, string>> = {
  startNegative: '`start` must not be negative',
  limitTooSmall: '`limit` must be larger than 0',
  limitTooLarge: '`limit` must not be larger than 100',
  startTooLarge: '`start` must be smaller than 2147483547',
};

const validation = (rule: string, got: string): string =>
  `Invalid value (expected value to pass validation: ${rule}, but got: ${got})`;

const optionalText = (value: unknown, textOf: (value: unknown) => string): string =>
  value === undefined ? 'None' : `Some(${textOf(value)})`;
const timeText = (value: unknown): string => `TimeStamp(${String(value)}ms)`;

const intervalText: DocumentedText = ({ rule, start, limit, longestInterval, fromTs, toTs }) => {
  if (longestInterval !== undefined) return `Time span cannot be greater than Duration(${String(longestInterval)}ms)`;
  if (rule !== undefined)
    return validation(rangeRules[String(rule)]!, `CounterRange(${String(start)},${optionalText(limit, String)})`);
  if (fromTs === undefined) return undefined;
  return validation(
    '`fromTs` must be before `toTs`',
    `TimeInterval(${timeText(fromTs)},${optionalText(toTs, timeText)})`,
  );
};

/** The general text of the protocol (07 §1.9). */
const notFound: DocumentedText = ({ resource }) =>
  resource === undefined ? undefined : `${String(resource)} not found`;

const keys: Partial<Record<ErrorCode, DocumentedText>> = {
  InvalidApiKey: ({ limit }) =>
    `Invalid value for: header X-API-KEY (Api key must have at least ${String(limit)} characters)`,
  MissingApiKey: () => 'Missing api key',
  WrongApiKey: () => 'Wrong api key',
  ApiKeyNotConfigured: () => 'Api key not configured in server',
};

/** Protocol 07 §1.13. */
const services: Partial<Record<ErrorCode, DocumentedText>> = { NotSynced: () => 'The clique is not synced' };

const lookUps: Partial<Record<ErrorCode, DocumentedText>> = {
  RouteNotFound: () => 'Resource not found',
  BlockNotFound: (facts) =>
    facts.hash === undefined
      ? notFound(facts)
      : `The block ${String(facts.hash)} does not exist, please check if your full node synced`,
  TransactionNotFound: notFound,
  // Clients look for the word in the middle.
  ContractNotFound: (facts) => {
    if (facts.of === 'group') return 'Group not found. Please check another broker';
    return facts.contractId === undefined
      ? notFound(facts)
      : `Failed in IO: KeyNotFound: Key ${String(facts.contractId)} not found`;
  },
  NoGhostUncle: ({ hash }) =>
    `The block ${String(hash)} is not a ghost uncle block, you should use a ghost uncle block hash to call this endpoint`,
};

/** A value that does not decode (protocol 07 §1.10): its text is made where the values are read. */
const decoding: Partial<Record<ErrorCode, DocumentedText>> = { InvalidRequest: textOf('{documented}') };

const bodies: Partial<Record<ErrorCode, DocumentedText>> = {
  InvalidHex: () => 'Invalid hex',
  InvalidTransaction: ({ reason }) => String(reason),
  InvalidMultisig: ({ of }) => (of === 'mrequired' ? 'Invalid m-of-n multisig' : undefined),
  InvalidTarget: ({ target }) => `Invalid target string: ${String(target)}`,
  InvalidMinerAddresses: ({ found, expected, address, group }) =>
    address === undefined
      ? `Wrong number of addresses, expected ${String(expected)}, got ${String(found)}`
      : `Address ${String(address)} doesn't belong to group ${String(group)}`,
  NoMinerAddresses: () => 'Miner addresses are not set up',
};

/** The interface itself (protocol 07 §1.9 to §1.13, §7 to §9, §13, §14). */
export const edgeTexts: Partial<Record<ErrorCode, DocumentedText>> = {
  InvalidInterval: intervalText,
  ...keys,
  ...decoding,
  ...lookUps,
  ...bodies,
  ...services,
};

import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText } from './documented-text.js';

/** Rules of a range of entries by the fact `rule`; the last one takes its own limit too. */
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

/** The interface itself (protocol 07 §1.10, §7.1). */
export const edgeTexts: Partial<Record<ErrorCode, DocumentedText>> = { InvalidInterval: intervalText };

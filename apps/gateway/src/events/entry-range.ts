import { errorOf } from '@shardnode/http';

/** Limit of entries in a page, and its default (protocol 07 §1.10). */
export const mostEntries = 100;
/** This start is accepted, contrary to the documented text (protocol 07 §1.10). */
const lastStart = 2_147_483_547;

interface Range {
  readonly start: number;
  readonly limit?: number | undefined;
}

interface RangeRule {
  /** Identifies the broken rule for interfaces. */
  readonly rule: string;
  readonly field: keyof Range;
  readonly expects: string;
  readonly holds: (range: Range) => boolean;
}

const startExpects = `from 0 to ${lastStart}`;
const limitExpects = `from 1 to ${mostEntries}`;

/** The rules of a range in their order (protocol 07 §1.10). */
const rangeRules: readonly RangeRule[] = [
  { rule: 'startNegative', field: 'start', expects: startExpects, holds: ({ start }) => start >= 0 },
  { rule: 'limitTooSmall', field: 'limit', expects: limitExpects, holds: ({ limit = mostEntries }) => limit > 0 },
  {
    rule: 'limitTooLarge',
    field: 'limit',
    expects: limitExpects,
    holds: ({ limit = mostEntries }) => limit <= mostEntries,
  },
  { rule: 'startTooLarge', field: 'start', expects: startExpects, holds: ({ start }) => start <= lastStart },
];

/** @throws ServiceError `InvalidInterval` for a page of entries that is out of bounds */
export const checkRange = (range: Range): void => {
  const broken = rangeRules.find(({ holds }) => !holds(range));
  if (!broken) return;
  const { rule, field, expects } = broken;
  const { start, limit } = range;
  throw errorOf('InvalidInterval', `${field} must be ${expects}, but is ${range[field]}`, {
    field,
    rule,
    start,
    ...(limit === undefined ? {} : { limit }),
  });
};

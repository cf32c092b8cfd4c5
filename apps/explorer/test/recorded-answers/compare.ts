import { type Entry, type RecordedAnswer } from './entries.js';

/** An answer of ours; `body` is undefined when it is no JSON. */
export interface OurAnswer {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

/** Members that are compared by their type alone. */
const byType = new Set([
  'lastSeen',
  'releaseVersion',
  'commit',
  'migrationsVersion',
  'lastFinalizedInputTime',
  'lastHoldersUpdate',
]);
/** Members of the recorded answers that ours do not have (protocol 08 §11). */
const notOurs = new Set(['ghostUncles', 'conflictedTxs', 'conflicted']);

/** Recorded answers that document 08 overrules. */
const overruled: readonly { readonly because: string; readonly entry: (entry: Entry) => boolean }[] = [
  {
    because: 'the number of transactions is exact (§3.5); the recorded one was counted every 10 minutes',
    entry: ({ path, expected }) => path === '/infos/total-transactions' && expected === undefined,
  },
  { because: 'a body has 64 KiB at most (§5.1)', entry: ({ rawBody = '' }) => rawBody.length > 65_536 },
  {
    because: 'the texts of the supply are those of the newest row (§5.9); the recorded one was of a minute before',
    entry: ({ id }) => id === '19b55f7d98e7',
  },
  {
    because: 'tokens of an address come first seen first (§5.7); this answer of a stage has them by their ids',
    entry: ({ id }) => id === '45778b09e387',
  },
];

/** Whether an answer is not compared because document 08 overrules it. */
export const isOverruled = (entry: Entry): boolean => overruled.some((rule) => rule.entry(entry));

/** Texts of refusals that document 08 words otherwise than the recorded ones (§5.3, §5.7). */
const ownTexts: readonly { readonly recorded: string; readonly ours: string }[] = [
  {
    recorded: 'Invalid value (expected value to pass validation: `fromTs` must be before `toTs`',
    ours: 'Invalid value for: query parameter fromTs (`fromTs` must be before `toTs`)',
  },
  { recorded: 'Time span cannot be greater than Duration(', ours: 'Time span cannot be greater than ' },
  {
    recorded: 'Invalid value (expected value to pass validation: Time interval cannot be greater than: Duration(',
    ours: 'Time span cannot be greater than ',
  },
  { recorded: 'Invalid value for: body (expected sequence', ours: 'Invalid value for: body (expected a list' },
  { recorded: 'Invalid value for: body (expected dictionary', ours: 'Invalid value for: body (expected an object' },
  { recorded: 'Only P2PKH and P2PK', ours: 'Only P2PKH addresses supported' },
];

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Differences of an answer from the expected one, each as a sentence. Lists have an order; members that only ours has
 * are additions.
 */
export const differences = (wanted: unknown, found: unknown, place = '$'): string[] => {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return [`${place}: a list expected, ${shown(found)} received`];
    const length =
      wanted.length === found.length ? [] : [`${place}: ${wanted.length} items expected, ${found.length} received`];
    const items = wanted.slice(0, found.length);
    return [...length, ...items.flatMap((item, i) => differences(item, found[i], `${place}[${i}]`))];
  }
  if (!isObject(wanted))
    return wanted === found ? [] : [`${place}: ${shown(wanted)} expected, ${shown(found)} received`];
  if (!isObject(found)) return [`${place}: an object expected, ${shown(found)} received`];
  return Object.entries(wanted).flatMap(([name, value]) => {
    const at = `${place}.${name}`;
    if (notOurs.has(name)) return [];
    if (!(name in found)) return [`${at}: missing`];
    const own = found[name];
    if (!byType.has(name)) return differences(value, own, at);
    return typeof own === typeof value ? [] : [`${at}: a ${typeof value} expected, ${shown(own)} received`];
  });
};

/** Lists of metadata, whose order the recorded explorer leaves open (protocol 08 §11); ours is that of the request. */
const isUnordered = ({ method, path }: Entry): boolean => method === 'POST' && /^\/tokens\/[a-z-]+metadata$/.test(path);
const sorted = (list: unknown): unknown =>
  Array.isArray(list) ? [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : list;

const textOfRefusal = (recorded: string): string =>
  ownTexts.find((text) => recorded.startsWith(text.recorded))?.ours ?? recorded;

const refusalDifferences = ({ detailStartsWith, expected }: Entry, { body }: OurAnswer): string[] => {
  const ofBody = expected?.body === undefined ? [] : differences(expected.body, body);
  if (detailStartsWith === undefined || expected) return ofBody;
  const wanted = textOfRefusal(detailStartsWith);
  const { detail } = isObject(body) ? body : {};
  return String(detail).startsWith(wanted)
    ? ofBody
    : [...ofBody, `$.detail: a text expected that starts with ${shown(wanted)}, ${shown(detail)} received`];
};

const isTextWanted = ({ expected, current }: Entry, wanted: RecordedAnswer): boolean =>
  wanted.text !== undefined && (expected?.text !== undefined || (wanted.body ?? current.body) === undefined);

/** Differences of our answer to the request of an entry, as the README of the recorded answers says. */
export const answerDifferences = (entry: Entry, answer: OurAnswer): string[] => {
  const wanted: RecordedAnswer = { ...entry.current, ...entry.expected };
  if (answer.status !== wanted.status)
    return [`status ${wanted.status} expected, ${answer.status} received: ${answer.text.slice(0, 200)}`];
  if (wanted.status >= 400) return refusalDifferences(entry, answer);
  if (entry.method === 'HEAD') return [];
  if (isTextWanted(entry, wanted)) return answer.text === wanted.text ? [] : ['the text differs'];
  if (isUnordered(entry)) return differences(sorted(wanted.body), sorted(answer.body));
  return wanted.body === undefined ? [] : differences(wanted.body, answer.body);
};

import { type Environment } from './read-configuration.js';

/** First words of our settings that variables of other programs begin with, too. */
const sharedWords: ReadonlySet<string> = new Set(
  'API CLOCK CORS CRASH DATA DATABASE DEV DISK GROUP HEALTH HOST KEY LOG MAX NATS OTEL PORT POSTGRES RATE REDIS REQUEST TRUST WS'.split(
    ' ',
  ),
);

/** Letters that are wrong, missing, too many or changed with their neighbour (optimal string alignment). */
const editDistance = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          rows[i - 1]![j]! + 1,
          row[j - 1]! + 1,
          rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
        ),
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
};

/** Short names of other programs are near ours by chance: DB_PORT and WS_PORT differ in two letters. */
const toleratedMistakes = (name: string): number => (name.length > 8 ? 2 : 1);

const firstWordOf = (name: string): string => name.split('_', 1)[0]!;

/** The setting that was meant, if it is near enough. */
const nearestTo = (name: string, known: readonly string[]): readonly string[] => {
  const distances = known.map((setting) => ({ setting, distance: editDistance(name, setting) }));
  const nearest = distances.reduce((best, next) => (next.distance < best.distance ? next : best));
  return nearest.distance <= toleratedMistakes(name) ? [nearest.setting] : [];
};

/** All settings with that first word, if no other program uses it. */
const familyOf = (name: string, known: readonly string[]): readonly string[] => {
  const word = firstWordOf(name);
  return sharedWords.has(word) ? [] : known.filter((setting) => firstWordOf(setting) === word);
};

/**
 * A sentence for each variable that looks like one of ours and is none: nobody would learn otherwise that it does nothing.
 * @param known all variables that the program reads
 * @param wholeFamilies also whatever begins with a word as only our settings do: MINING_..., WALLET_...; for a program that reads
 * the settings of all services
 */
export const unknownSettings = (
  known: readonly string[],
  environment: Environment,
  { wholeFamilies = false } = {},
): readonly string[] => {
  const names = Object.keys(environment).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !known.includes(name));
  return names.flatMap((name) => {
    const nearest = nearestTo(name, known);
    const meant = nearest.length === 0 && wholeFamilies ? familyOf(name, known) : nearest;
    return meant.length === 0 ? [] : [`${name} is not a setting and is ignored; did you mean ${meant.join(' or ')}?`];
  });
};

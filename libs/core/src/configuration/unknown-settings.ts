import { type Environment } from './read-configuration.js';

/** First words that our settings share with variables of other programs. */
const sharedWords: ReadonlySet<string> = new Set(
  'API CLOCK CORS CRASH DATA DATABASE DEV DISK GROUP HEALTH HOST KEY LOG MAX NATS OTEL PORT POSTGRES RATE REDIS REQUEST TRUST WS'.split(
    ' ',
  ),
);

/** Number of wrong, missing, surplus or transposed letters (optimal string alignment). */
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

/**
 * Tolerates fewer mistakes in short names, which resemble ours by chance: DB_PORT and WS_PORT differ in two letters.
 */
const toleratedMistakes = (name: string): number => (name.length > 8 ? 2 : 1);

const firstWordOf = (name: string): string => name.split('_', 1)[0]!;

/** The most similar of known names, if one is similar enough. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const distances = known.map((setting) => ({ setting, distance: editDistance(name, setting) }));
  const nearest = distances.reduce((best, next) => (next.distance < best.distance ? next : best));
  return nearest.distance <= toleratedMistakes(name) ? nearest.setting : undefined;
};

/** All settings with the same first word, unless other programs use that word. */
const familyOf = (name: string, known: readonly string[]): readonly string[] => {
  const word = firstWordOf(name);
  return sharedWords.has(word) ? [] : known.filter((setting) => firstWordOf(setting) === word);
};

/**
 * A sentence for each variable that resembles a setting and is none: otherwise it would be ignored silently.
 * @param known all variables that the program reads
 * @param wholeFamilies also report variables whose first word only our settings have (MINING_..., WALLET_...); for a
 * program that reads the settings of all services
 */
export const unknownSettings = (
  known: readonly string[],
  environment: Environment,
  { wholeFamilies = false } = {},
): readonly string[] => {
  const names = Object.keys(environment).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !known.includes(name));
  return names.flatMap((name) => {
    const nearest = nearestName(name, known);
    const family = wholeFamilies ? familyOf(name, known) : [];
    const meant = nearest === undefined ? family : [nearest];
    return meant.length === 0 ? [] : [`${name} is not a setting and is ignored; did you mean ${meant.join(' or ')}?`];
  });
};

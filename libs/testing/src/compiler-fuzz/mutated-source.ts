import { FuzzRandom } from '../machine-fuzz/fuzz-random.js';

/** White space, comments, words, numbers, texts, and every other character alone. */
const token = /\s+|\/\/[^\n]*|[A-Za-z_]\w*!?|\d+|`[^`]*`|[^]/g;

const tokensOf = (source: string): string[] => source.match(token) ?? [];

/** Words of the language that change the meaning of what stands beside them. */
const inserted = [
  'if',
  'else',
  'mut',
  'pub',
  'let',
  'return',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ';',
  ',',
  '.',
  '!',
  '-',
  '=',
  '->',
  '@',
  '#',
  '`',
  '$',
  '${',
  '0',
  '-1',
  '1e77',
  'alph',
  'ALPH',
  'i',
  'u',
  '\r',
  '\n\r',
  '\u2297',
  '\ud83d',
];

const keyword =
  /^(?:Contract|AssetScript|TxScript|Interface|Abstract|struct|let|mut|fn|return|if|else|while|for|pub|event|emit|extends|embeds|implements|const|enum|mapping)$/;
/** Names, types and built-ins, literals. */
const classes = [/^[a-z]\w*$/, /^[A-Z]\w*$/, /^[a-z]\w*!$/, /^\d/, /^[-+*/%<>=&|^!]$/];

/** A word of the source in the place of another of its class: most of these still fit the grammar. */
const otherWord = (random: FuzzRandom, tokens: readonly string[]): string[] => {
  const pattern = random.pick(classes);
  const places = tokens.flatMap((text, i) => (pattern.test(text) && !keyword.test(text) ? [i] : []));
  if (places.length === 0) return [...tokens];
  return tokens.with(random.pick(places), tokens[random.pick(places)]!);
};

const changed = (random: FuzzRandom, tokens: string[], others: readonly string[]): string[] => {
  if (random.chance(0.7)) return otherWord(random, tokens);
  const at = random.below(tokens.length);
  const other = random.below(tokens.length);
  switch (random.below(8)) {
    case 0:
      return tokens.toSpliced(at, 1 + random.below(3));
    case 1:
      return tokens.toSpliced(at, 0, ...tokens.slice(at, at + 1 + random.below(8)));
    case 2:
      return tokens.with(at, tokens[other]!).with(other, tokens[at]!);
    case 3:
      return tokens.slice(0, at);
    case 4:
      return tokens.slice(at);
    case 5:
      return tokens.with(at, random.pick(others));
    case 6:
      return tokens.toSpliced(at, 0, random.pick(inserted));
    default:
      // A piece of the one source in the other.
      return tokens.toSpliced(
        at,
        random.below(5),
        ...others.slice(other % others.length, (other % others.length) + random.below(20)),
      );
  }
};

/** A source of the corpus with one to three changes of its tokens: deleted, doubled, exchanged, cut, mixed with another source. */
export const mutatedSource = (corpus: readonly string[], seed: number, index: number): string => {
  const random = new FuzzRandom(seed ^ 0x5eed, index);
  let tokens = tokensOf(random.pick(corpus));
  const others = tokensOf(random.pick(corpus));
  for (let changes = 1 + random.below(3); changes > 0 && tokens.length > 0; changes--) {
    tokens = changed(random, tokens, others);
  }
  return tokens.join('');
};

/** What must not be found: bytes, a text, or words in their order however they are joined. */
export type Secret = { readonly name: string } & (
  { readonly bytes: Uint8Array } | { readonly text: string } | { readonly words: readonly string[] }
);

interface Pattern {
  readonly name: string;
  readonly form: string;
  readonly bytes: Buffer;
}

export interface Finding {
  readonly name: string;
  /** How it was written: `hex`, `base64`. */
  readonly form: string;
}

/** So many words in a row give a mnemonic away. */
const wordsInARow = 6;
const joints = [' ', '', ',', ', ', '-', '_', '\n', '\\n', '","', '", "', '+', '%20', '/', '|', ';'];

/** Of the middle: what of a base64 text does not depend on what stands before and after. */
const base64Of = (bytes: Buffer): string[] =>
  [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(before === 0 ? 0 : before + 1, text.length - 1);
  });

const url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

const formsOfBytes = (bytes: Buffer): readonly (readonly [string, Buffer | string])[] => [
  ['bytes', bytes],
  ['bytes, reversed', Buffer.from(bytes).reverse()],
  ['two-byte text', Buffer.from(bytes.toString('latin1'), 'utf16le')],
  ['hex', bytes.toString('hex')],
  ['HEX', bytes.toString('hex').toUpperCase()],
  // A dump of a database writes columns of bytes in hexadecimal, texts among them.
  ['hex of hex', Buffer.from(bytes.toString('hex')).toString('hex')],
  ['list of numbers', [...bytes].join(',')],
  ['list of numbers, spaced', [...bytes].join(', ')],
  ...base64Of(bytes).flatMap((text): [string, string][] => [
    ['base64', text],
    ['base64url', url(text)],
    ['hex of base64', Buffer.from(text).toString('hex')],
  ]),
];

const textsOf = (secret: Secret): readonly string[] => {
  if ('text' in secret) return [secret.text, encodeURIComponent(secret.text), JSON.stringify(secret.text).slice(1, -1)];
  if (!('words' in secret)) return [];
  const runs = Array.from({ length: Math.max(1, secret.words.length - wordsInARow + 1) }, (_, start) =>
    secret.words.slice(start, start + wordsInARow),
  );
  return runs.flatMap((run) => joints.map((joint) => run.join(joint)));
};

const patternsOf = (secret: Secret): Pattern[] => {
  const { name } = secret;
  const sources =
    'bytes' in secret
      ? [['', Buffer.from(secret.bytes)] as const]
      : textsOf(secret).map((text) => ['text, ', Buffer.from(text)] as const);
  return sources.flatMap(([prefix, source]) =>
    formsOfBytes(source).map(([form, value]) => ({ name, form: prefix + form, bytes: Buffer.from(value) })),
  );
};

/** Looks for many secrets in many forms at once: one pass over the bytes. */
export class SecretSearch {
  /** By their first four bytes. */
  private readonly byBeginning = new Map<number, Pattern[]>();
  /** Bit set for each pair of first bytes: most places are passed by without looking further. */
  private readonly pairs = new Uint8Array(65_536);

  constructor(secrets: readonly Secret[]) {
    for (const pattern of secrets.flatMap(patternsOf)) {
      if (pattern.bytes.length < 8) continue;
      const beginning = pattern.bytes.readInt32BE(0);
      this.byBeginning.set(beginning, [...(this.byBeginning.get(beginning) ?? []), pattern]);
      this.pairs[pattern.bytes.readUInt16BE(0)] = 1;
    }
  }

  /** What is there, each secret and form once. */
  find(content: Buffer | string): readonly Finding[] {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const found = new Map<string, Finding>();
    for (let at = 0; at + 8 <= bytes.length; at++) {
      if (this.pairs[(bytes[at]! << 8) | bytes[at + 1]!] === 0) continue;
      for (const { name, form, bytes: wanted } of this.byBeginning.get(bytes.readInt32BE(at)) ?? []) {
        const end = at + wanted.length;
        if (end <= bytes.length && bytes.compare(wanted, 0, wanted.length, at, end) === 0)
          found.set(`${name} ${form}`, { name, form });
      }
    }
    return [...found.values()];
  }

  /** Names of the secrets that are there, sorted. */
  names(content: Buffer | string): readonly string[] {
    return [...new Set(this.find(content).map(({ name }) => name))].sort();
  }
}

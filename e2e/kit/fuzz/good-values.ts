import { fc } from '@shardnode/testing/properties';
import { type ApiDocument, endpointsOf, resolved, type Schema } from './described-api.js';

/** Values by the name of their field. */
export type ValuesByName = ReadonlyMap<string, readonly unknown[]>;

const ofOnePattern = 32;

const collect = (known: Map<string, unknown[]>, name: string, value: unknown): void => {
  if (Array.isArray(value)) return value.forEach((each) => collect(known, name, each));
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) collect(known, key, inner);
    return;
  }
  const values = known.get(name) ?? [];
  if (value !== undefined && !values.includes(value)) known.set(name, [...values, value]);
};

/** What examples of requests have, and `more`. */
export const exampleValues = (
  document: ApiDocument,
  more: Readonly<Record<string, readonly unknown[]>>,
): ValuesByName => {
  const known = new Map<string, unknown[]>();
  for (const { parameters, body } of endpointsOf(document)) {
    for (const { name, example } of parameters) collect(known, name, example);
    collect(known, '', body?.example);
  }
  for (const [name, values] of Object.entries(more)) values.forEach((value) => collect(known, name, value));
  return known;
};

/** Values that fit schemas, by a sequence of random numbers. */
export class GoodValues {
  private readonly patterns = new Map<string, readonly string[]>();
  private readonly texts: readonly string[];
  random: () => number = () => 0;

  constructor(
    readonly document: ApiDocument,
    private readonly known: ValuesByName,
    private readonly seed: number,
  ) {
    this.texts = [...known.values()].flat().filter((value) => typeof value === 'string');
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)]!;
  }

  /** A whole number from `low` to `high`. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1));
  }

  value(given: Schema, name: string): unknown {
    const schema = resolved(this.document, given);
    const known = this.known.get(name) ?? [];
    if (schema.enum) return this.pick(schema.enum);
    if (schema.anyOf) return this.value(this.pick(schema.anyOf), name);
    if (schema.type === 'object') return this.object(schema);
    if (schema.type === 'array') return this.array(schema, name);
    if (known.length > 0 && this.chance(0.7)) return this.pick(known);
    if (schema.example !== undefined && this.chance(0.3)) return schema.example;
    if (schema.type === 'boolean') return this.chance(0.5);
    if (schema.type === 'string') return this.text(schema);
    return this.number(schema);
  }

  private object(schema: Schema): unknown {
    const needed = [...(schema.required ?? []), ...(schema.oneOf ? (this.pick(schema.oneOf).required ?? []) : [])];
    const excluded = (schema.oneOf ?? []).flatMap(({ required }) => required ?? []);
    const fields = Object.entries(schema.properties ?? {}).filter(
      ([name]) => needed.includes(name) || (!excluded.includes(name) && this.chance(0.25)),
    );
    return Object.fromEntries(fields.map(([name, inner]) => [name, this.value(inner, name)]));
  }

  private array(schema: Schema, name: string): unknown[] {
    const known = this.known.get(name) ?? [];
    const length = this.whole(this.chance(0.1) ? 0 : 1, 4);
    // In the order of the examples: keys of one address, addresses of the groups.
    if (known.length > 0 && this.chance(0.6)) return known.slice(0, length);
    return Array.from({ length }, () => this.value(schema.items ?? {}, name));
  }

  private text({ pattern }: Schema): string {
    if (pattern === undefined) return this.pick(['a', 'exchange-hot-2', '192.0.2.1', '::1', this.pick(this.texts)]);
    const form = new RegExp(pattern);
    const fitting = this.texts.filter((text) => form.test(text));
    return fitting.length > 0 && this.chance(0.6) ? this.pick(fitting) : this.pick(this.ofPattern(pattern, form));
  }

  private ofPattern(pattern: string, form: RegExp): readonly string[] {
    const known = this.patterns.get(pattern);
    if (known) return known;
    const made = fc.sample(fc.stringMatching(form), { seed: this.seed, numRuns: ofOnePattern });
    this.patterns.set(pattern, made);
    return made;
  }

  private number({ minimum = -(2 ** 53), maximum = 2 ** 53 - 1 }: Schema): number {
    const low = Math.max(minimum, -(2 ** 53));
    return this.pick([low, maximum, this.whole(low, Math.min(maximum, low + 100)), this.whole(low, maximum)]);
  }
}

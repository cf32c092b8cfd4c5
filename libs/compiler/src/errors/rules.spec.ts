import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { brokenRules, ownSources, rulesOfVectors } from '@shardnode/testing/compile-rules';
import { CompileError, compileContract, formatError } from '../index.js';
import { compileError } from './compile-error.js';
import { ruleFooters, groupTitles, type RuleGroup, ruleGroups, type RuleName } from './rules.js';
import { warning, warningTexts } from './warnings.js';

interface Row {
  readonly rule: RuleName;
  readonly text: string;
  readonly title: string;
}

const rows: readonly Row[] = Object.entries(ruleGroups).flatMap(([group, texts]) =>
  Object.entries(texts).map(([rule, text]) => ({
    rule: rule as RuleName,
    text: text as string,
    title: groupTitles[group as RuleGroup] ?? 'Compilation error',
  })),
);

const isTextOf = (text: string, message: string): boolean => {
  const pieces = text.split(/\{\w+\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('[^]*')}$`).test(message);
};

describe('the table of rules', () => {
  it('has each name once, and each text once under a title', () => {
    expect(new Set(rows.map(({ rule }) => rule)).size).toBe(rows.length);
    expect(new Set(rows.map(({ text, title }) => `${title}: ${text.replace(/\{\w+\}/g, '{}')}`)).size).toBe(
      rows.length,
    );
  });

  it('has braces around names of values only', () => {
    for (const text of [...rows.map((row) => row.text), ...Object.values(warningTexts)]) {
      expect(text.replace(/\{\w+\}/g, '')).not.toMatch(/[{}]/);
    }
  });

  it('holds all texts: errors with others are made by the grammar only', () => {
    const folder = new URL('../', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const makers = files.filter(
      (file) =>
        /(?<!\.spec)\.ts$/.test(file) && readFileSync(new URL(file, folder), 'utf8').includes('new CompileError('),
    );
    expect(makers.sort()).toEqual(['errors/compile-error.ts', 'parser/rules.ts']);
  });
});

describe('every rule', () => {
  const broken = brokenRules();

  it('is broken by a source', () => {
    expect([...broken.keys()].sort()).toEqual(rows.map(({ rule }) => rule).sort());
  });

  it.each(rows.map((row) => [row.rule, row] as const))(
    '%s: its errors have its text, title and footer',
    (rule, row) => {
      for (const { error } of broken.get(rule)!) {
        expect(isTextOf(row.text, error.message)).toBe(true);
        expect([error.title, error.footer]).toEqual([row.title, ruleFooters[rule]]);
      }
    },
  );

  it('has an own source only where the vectors have none that is as short', () => {
    const ofVectors = rulesOfVectors();
    const notNeeded = Object.entries(ownSources).filter(([rule, own]) =>
      ofVectors.get(rule as RuleName)?.some(({ source }) => source.length <= own.source.length),
    );
    expect(notNeeded).toEqual([]);
  });
});

const errorOf = (source: string): CompileError => {
  try {
    compileContract(source);
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

describe('structs that contain themselves', () => {
  // Protocol 06 §4.2.
  it.each([
    ['the one that is met again, behind a path of mutable fields', 'mut a: A', 'List(B, C)'],
    ['that of a field that is not mutable', 'a: A', 'List(A, B, C)'],
    ['that in an array', 'a: [A; 2]', 'List(A, B, C)'],
  ])('are listed from %s', (_, field, structs) => {
    const source = `struct A { mut b: B } struct B { mut c: C } struct C { b: [B; 2] } Contract Foo(${field}) {}`;
    expect(errorOf(source).message).toBe(`These structs "${structs}" have circular references`);
  });
});

describe('the label of a statement', () => {
  // Protocol 06 §10.5: what stands at the place of the statement.
  it.each([
    ['Foo.x', 'Index ~ id ~ "." ~ callAbs'],
    ['Foo . x', 'Index ~ id ~ "." ~ callAbs'],
    ['Foo x', 'Index ~ id ~ ".".? ~ callAbs'],
    ['foo.x', 'Index ~ id.? ~ callAbs'],
  ])('for %s names calls %s', (statement, label) => {
    const source = `Contract A() { pub fn f() -> () { while (true) { ${statement} } } }`;
    expect(formatError(source, errorOf(source))).toContain(
      `Expected (varDef | structDestruction | assign | debug | ${label} | `,
    );
  });
});

describe('a syntax tree in a message', () => {
  it('is cut when it shows more than any source of a person makes', () => {
    const arrays = Array.from({ length: 20 }, (_, i) => `[${i}; 60000]`).join(', ');
    const { message } = errorOf(`Contract A() { @using(updateFields = [${arrays}]) pub fn f() -> () { return } }`);
    expect(message.slice(0, 200)).toContain('List(CreateArrayExpr(List(Const(U256(0)), Const(U256(0)), ');
    expect(message.length).toBeLessThan(2 ** 23);
  });
});

describe('the values of a text', () => {
  it('stand in place of their names, as they are', () => {
    expect(compileError('otherStruct', undefined, { struct: '{found}', found: '$&' }).message).toBe(
      'Expected struct type "{found}", got "$&"',
    );
    expect(warning('unusedMaps', { entity: 'A', names: 'm, n' }).text).toBe('Found unused maps in A: m, n');
  });

  it('are those that it names', () => {
    // @ts-expect-error a value is missing
    compileError('otherStruct', undefined, { struct: 'S' });
    // @ts-expect-error all values are missing
    compileError('unknownVariable', undefined);
    // @ts-expect-error the text names no such value
    compileError('unknownVariable', undefined, { name: 'a', type: 'U256' });
    // @ts-expect-error the text names no value
    compileError('invalidNumber', undefined, { name: 'a' });
    // @ts-expect-error no such rule
    expect(() => compileError('unknown', undefined)).toThrow();
    // @ts-expect-error a value is missing
    warning('unusedMaps', { names: 'm' });
  });
});

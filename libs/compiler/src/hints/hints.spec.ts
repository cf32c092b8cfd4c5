import { describe, expect, it } from '@jest/globals';
import { brokenRules, compileErrorOf, grammarHintSources, ruleHintSources } from '@shardnode/testing/compile-rules';
import { compileProject, CompileError, formatError, grammarHints, hintOf, hintText, ruleHints } from '../index.js';
import { nearestName } from './nearest.js';

const errorOf = (source: string): CompileError | undefined => compileErrorOf({ operation: 'project', source });

describe.each([
  ['of the grammar', grammarHints, grammarHintSources],
  ['of rules', ruleHints, ruleHintSources],
])('the hints %s', (_, hints, sources) => {
  it('have a source each', () => {
    expect(Object.keys(sources).sort()).toEqual(Object.keys(hints).sort());
  });

  it.each(Object.entries(sources))('%s is given, and its source compiles when it is followed', (name, source) => {
    expect(hintOf(source.wrong, errorOf(source.wrong)!)?.name).toBe(name);
    compileProject(source.right);
  });
});

describe('a hint', () => {
  const shown = (source: string): string => hintText(source, errorOf(source)!);
  const body = (statement: string): string => `Contract A() {\n  pub fn f(x: U256) -> U256 {\n    ${statement}\n  }\n}`;

  it('follows the text of the error, which is that of a source without hints', () => {
    const source = body('asert!(x > 1, 0)');
    expect(formatError(source, errorOf(source)!)).toBe(
      [
        '-- error (3:5): Compilation error',
        '3 |    asert!(x > 1, 0)',
        '  |    ^^^^^^',
        '  |    Built-in function asert does not exist',
        '',
      ].join('\n'),
    );
    expect(shown(source)).toBe('  = hint: The nearest name is `assert!`.\n');
  });

  it.each([
    ['Contract A() { @using(preapprovedAsets = true) pub fn f() -> () { return } }', 'preapprovedAssets'],
    ['Contract A() { @using(updatefields = true, methodIndex = 1) pub fn f() -> () { return } }', 'updateFields'],
    ['@std(enable = true) Contract A() { pub fn f() -> () { return } }', 'enabled'],
    ['@sdt(enabled = true) Contract A() { pub fn f() -> () { return } }', 'std'],
    ['@usng(methodSelector = true) Interface I { pub fn f() -> () }', 'using'],
  ])('gives the nearest name of an annotation or its key: %s', (source, near) => {
    expect(shown(source)).toBe(`  = hint: The nearest name is \`${near}\`.\n`);
  });

  it('has a place where the error is shown at another one', () => {
    const source = body('f(x);\n    return x');
    expect(formatError(source, errorOf(source)!)).toContain('-- error (2:29)');
    expect(shown(source)).toBe('  = hint (3:9): There is no `;` at the end of statements and definitions.\n');
  });

  it('names the line of a bracket that is not closed', () => {
    expect(shown(body('f(\n      x\n    return x'))).toBe('  = hint (5:5): The `(` of line 3 is not closed.\n');
  });

  it.each([
    ['a comment', body('let y = 1 // no; semicolon\n    return y +')],
    ['a string', body('let y = b`; // ;`\n    return y +')],
  ])('reads nothing in %s', (_, source) => {
    expect(shown(source)).not.toContain('There is no `;`');
  });

  it('is absent where none is known', () => {
    expect(shown(body('let y = 1'))).toContain('return');
    const source = body('return y');
    expect(shown(source)).toBe('');
  });

  it('has values in place of all its names, whatever breaks a rule', () => {
    for (const sources of brokenRules().values()) {
      for (const { source, error } of sources.filter((each) => each.source.length < 10_000)) {
        expect(hintText(source, error)).not.toMatch(/undefined|\{(near|name|signature|word|line|open|keyword)\}|``/);
      }
    }
  });
});

describe('the nearest name', () => {
  it.each([
    ['asert', ['panic!', 'assert!'], 'assert!'],
    ['CallerAddress', ['selfAddress!', 'callerAddress!'], 'callerAddress!'],
    ['amout', ['count', 'amount'], 'amount'],
    ['retrun', ['return'], 'return'],
    ['y', ['x', 'z'], undefined],
    ['foo', ['foo'], undefined],
    ['balance', ['allowance'], undefined],
    ['a'.repeat(60), ['a'.repeat(59)], undefined],
  ])('of %s among %p is %p', (name, known, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });
});

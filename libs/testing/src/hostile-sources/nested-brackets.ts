import { asValue, contract, type HostileSource, inFunction, longestSource } from './source-forms.js';

/** Each bracket of the language inside itself: `open` and `close` so many times around `inside`. */
const brackets: readonly (readonly [string, string, string, (text: string) => string])[] = [
  ['parentheses', '(', ')', asValue],
  ['arrays', '[', ']', asValue],
  ['calls', 'f(', ')', asValue],
  ['built-ins', 'u256To4Byte!(', ')', asValue],
  ['conversions', 'A(', ')', asValue],
  ['if expressions', 'if (true) ', ' else x', asValue],
  ['conditions', 'if (', ') x else x', asValue],
  ['struct values', 'S { a: ', '}', asValue],
  ['indexes', 'x[', ']', asValue],
  ['approvals', 'f{', ' -> ALPH: 1}(1)', asValue],
  ['negations', '!(', ')', asValue],
  ['map keys', 'm.contains!(', ')', asValue],
  ['member calls', 'x.f(', ')', asValue],
  ['debug holes', 'f(', ')', (text) => inFunction(`emit Debug(\`\${${text}}\`)`)],
  ['array types', '[', ';1]', (text) => `Contract A(a: ${text.replace('x', 'U256')}) { pub fn f() -> () { return } }`],
  ['blocks', 'if (true) { ', ' }', (text) => inFunction(text.replace('x', 'f(x)'))],
  ['loops', 'while (true) { ', ' }', (text) => inFunction(text.replace('x', 'f(x)'))],
  ['for loops', 'for (let i = 0; true; i = 1) { ', ' }', (text) => inFunction(text.replace('x', 'f(x)'))],
  ['else blocks', 'if (true) { f(1) } else { ', ' }', (text) => inFunction(text.replace('x', 'f(x)'))],
  ['annotations', '(', ')', (text) => `@std(id = ${text}) Interface A { pub fn f() -> () }`],
  ['constants', '(', ')', (text) => `Contract A() { const A = ${text} pub fn f() -> () { return } }`],
];

const depths = [200, 250, 100_000];

export const nestedSources: readonly HostileSource[] = brackets.flatMap(([name, open, close, around]) =>
  depths.flatMap((depth) => {
    const most = Math.min(depth, Math.floor((0.9 * longestSource) / (open.length + close.length)));
    const [opened, closed] = [open.repeat(most), close.repeat(most)];
    return [
      contract(`${most} ${name}`, around(`${opened}x${closed}`)),
      contract(`${most} ${name} that are not closed`, around(opened)),
    ];
  }),
);

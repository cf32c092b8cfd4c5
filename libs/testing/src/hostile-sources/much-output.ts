import { asValue, contract, filling, type HostileSource, inFunction, project, script, times } from './source-forms.js';

export const generated: readonly HostileSource[] = [
  contract(
    'computed indexes in each other',
    `Contract A(mut y:[[[[U256;2];2];2];2]){pub fn f(i:U256)->U256{ y=y return ${nestedIndex(12)} }}`,
  ),
  contract('repetitions in each other', asValue('[[[[[x;255];255];255];255];255]')),
  contract('a repeated call', asValue('[f(x);65535][0]')),
  contract('many repetitions', asValue(`[${filling('[x;60000],')}[x;60000]]`)),
  contract('many repetitions that are popped', inFunction(filling('let _=[x;60000] '))),
  contract('an array of arrays of arrays', 'Contract A(){pub fn f(x:[[[[U256;65535];65535];65535];65535])->(){}}'),
  contract(
    'arrays of the largest size as fields',
    `Contract A(${times(2_000, (i) => `a${i}:[U256;65535]`, ',')}){pub fn f()->(){}}`,
  ),
  contract(
    'mutable arrays of the largest size',
    `Contract A(${times(500, (i) => `mut a${i}:[U256;65535]`, ',')}){pub fn f()->(){}}`,
  ),
  contract(
    'parameters of the largest size',
    `Contract A(){${times(2_000, (i) => `pub fn f${i}(a:[U256;65535])->(){}`)}}`,
  ),
  contract(
    'results of the largest size',
    `Contract A(){${times(2_000, (i) => `pub fn f${i}()->[U256;65535]{panic!()}`)}}`,
  ),
  contract(
    'arrays of the largest size in values of a map',
    `Contract A(){mapping[U256,[U256;65535]] m pub fn f()->(){${filling('m[1]=m[2] ')}}}`,
  ),
  contract('copies of a large field', `Contract A(mut a:[U256;250]){pub fn f()->(){${filling('a=a ')}}}`),
  contract(
    'large arrays of zero-sized elements',
    `Contract A(a:[[U256;0];65535]){pub fn f()->(){${filling('let _=a ')}}}`,
  ),
  contract(
    'zero-sized elements in each other',
    `Contract A(a:[[[[[U256;0];65535];65535];65535];65535]){pub fn f()->(){let _=a}}`,
  ),
  contract(
    'powers',
    'Contract A(){const X=2 |**| 115792089237316195423570985008687907853269984665640564039457584007913129639935 const Y=3 ** 1000000 pub fn f()->(){}}',
  ),
  contract(
    'many powers',
    `Contract A(){${times(2_500, (i) => `const X${i}=3|**|115792089237316195423570985008687907853269984665640564039457584007913129639935`, ' ')} pub fn f()->(){}}`,
  ),
  contract(
    'concatenations that double',
    `Contract A(){const C0=#00000000 ${times(60, (i) => `const C${i + 1}=C${i}++C${i}`, ' ')} pub fn f()->(){}}`,
  ),
  contract(
    'one large constant in many functions',
    `Contract A(){const C=#${'00'.repeat(60_000)} pub fn f()->(){${'let _=C '.repeat(12_000)}}}`,
  ),
  project(
    'debug texts in many contracts',
    times(
      100,
      (i) =>
        `Contract A${i}(){pub fn f(a:U256)->(){${times(60, (j) => `emit Debug(\`${i * 7 + j * 13}\${a}\`) assert!(a>${j},${i})`, ' ')}}}`,
    ),
  ),
  contract(
    'debug texts between assertions',
    inFunction(times(5_000, (i) => `emit Debug(\`${(i * 7_919) % 1_000}\`) assert!(x>${(i * 31) % 977},${i})`, ' ')),
  ),
  project(
    'one debug text in each of many contracts',
    times(3_500, (i) => `Contract A${i}(){pub fn f()->(){emit Debug(\`a\`)}}`),
  ),
];

function nestedIndex(depth: number): string {
  let index = 'i';
  for (let level = 0; level < depth; level++)
    index = `y[${index}][${index}][${index}][0]`.length > 60_000 ? index : `y[${index}][i][i][0]`;
  return index;
}

const longName = 'a'.repeat(100_000);

/** The same long text again and again, in messages, warnings and results. */
export const repeatedTexts: readonly HostileSource[] = [
  contract(
    'arguments of a type with a long name',
    `struct T${longName}{a:U256} Contract A(){pub fn f(x:T${longName})->(){f(${'x,'.repeat(20_000)}x)}}`,
  ),
  contract(
    'arguments of a deep type',
    `Contract A(){pub fn f(x:${'['.repeat(200)}U256${';1]'.repeat(200)})->(){f(${'x,'.repeat(120_000)}x)}}`,
  ),
  contract(
    'a tree of repetitions',
    `Contract A(){pub fn f(x:U256)->(){f{[x${'+x'.repeat(50_000)};65535] -> ALPH:1}(x)}}`,
  ),
  contract(
    'a tree of repetitions in repetitions',
    `Contract A(){pub fn f(x:U256)->(){f{[${times(4_000, () => '[[[x;255];16];16]', ',')}] -> ALPH:1}(x)}}`,
  ),
  contract('warnings with a long name', `Contract T${longName}(){pub fn f()->U256{${'f() '.repeat(35_000)} return 1}}`),
  contract(
    'variables of a function with a long name',
    `Contract A(){pub fn ${longName}()->(){${times(254, (i) => `let x${i}=1`, ' ')}}}`,
  ),
  contract(
    'inherited fields of a type with a long name',
    `Abstract Contract A(a:T${longName}){} Contract B(a:T${longName})extends A(${'a,'.repeat(5_000)}a){pub fn f()->(){}}`,
  ),
  project(
    'children of a function with a long name',
    `Abstract Contract A(){pub fn f(${longName}:U256)->(){}} ${times(4_000, (i) => `Contract B${i}()extends A(){}`)}`,
  ),
  project(
    'children of a long constant',
    `Abstract Contract A(){const A=#${'00'.repeat(50_000)} pub fn f()->(){}} ${times(4_000, (i) => `Contract B${i}()extends A(){}`)}`,
  ),
  contract(
    'a trace of many lines',
    `${'\n'.repeat(120_000)}Contract A(){pub fn f(x:U256)->U256{let a=${'if (true) '.repeat(200)}}}`,
  ),
];

/** Work for each level, each function or each slot. */
export const multiplied: readonly HostileSource[] = [
  contract(
    'a long sum inside many calls',
    `Contract A(){pub fn f(x:U256)->U256{return ${'f('.repeat(180)}x${'+x'.repeat(120_000)}${')'.repeat(180)}}}`,
  ),
  contract(
    'a sum at each of many levels',
    `Contract A(){pub fn f(x:U256)->U256{return ${'f('.repeat(190)}x${`${'+x'.repeat(600)})`.repeat(190)}}}`,
  ),
  contract(
    'copies of a large field in many functions',
    `Contract A(mut a:[U256;250]){${times(30, (i) => `pub fn f${i}()->(){${'a=a '.repeat(1_990)}}`)}}`,
  ),
  script(
    'a script whose functions copy many parameters',
    `TxScript S(${times(230, (i) => `a${i}:[U256;1]`, ',')}){assert!(true,1) ${times(11_000, (i) => `fn f${i}()->(){}`)}}`,
  ),
  project(
    'the same with all entities',
    `TxScript S(${times(230, (i) => `a${i}:[U256;1]`, ',')}){assert!(true,1) ${times(11_000, (i) => `fn f${i}()->(){}`)}}`,
  ),
  project(
    'interfaces of abstract contracts',
    `${times(250, (i) => `@using(methodSelector=true)Interface I${i}{pub fn f${i}()->()}`)} ${times(180, (i) => `Abstract Contract Z${i}()implements ${times(250, (j) => `I${j}`, ',')}{}`)}`,
  ),
  project(
    'interfaces of one contract',
    `${times(2_000, (i) => `@using(methodSelector=true)Interface I${i}{pub fn f${i}()->()}`)} Abstract Contract Z()implements ${times(2_000, (i) => `I${i}`, ',')}{}`,
  ),
  contract(
    'maps and functions',
    `Contract A(){${times(4_000, (i) => `mapping[U256,U256] m${i}`, ' ')} ${times(5_500, (i) => `pub fn f${i}()->(){}`)}}`,
  ),
  contract(
    'values of an enum',
    `Contract A(){enum E{${times(9_000, (i) => `A${i}=${i}`, ' ')}} pub fn f()->(){${'assert!(true,E.A8999) '.repeat(5_000)}}}`,
  ),
  contract('external calls', `Contract A(){pub fn f(a:A)->(){${filling('a.f(a) ')}}}`),
  contract(
    'structs in maps',
    `struct S{${times(250, (i) => `mut a${i}:U256`, ',')}} Contract A(){mapping[U256,S] m pub fn f()->(){${'m[1]=m[2] '.repeat(20_000)}}}`,
  ),
  contract(
    'functions that change the state',
    `Contract A(mut x:U256){${times(3_500, (i) => `@using(updateFields=true)pub fn f${i}()->(){x=1}`, ' ')}}`,
  ),
  project(
    'a circle of structs',
    `${times(9_000, (i) => `struct S${i}{a:S${(i + 1) % 9_000}}`)} Contract Z(s:S0){pub fn f()->(){}}`,
  ),
  contract(
    'fields that are encoded',
    `Contract A(${times(1_000, (i) => `a${i}:[U256;65535]`, ',')}){pub fn f()->(){let (a,b)=A.encodeFields!(${times(1_000, (i) => `a${i}`, ',')})}}`,
  ),
  contract('keys in keys that do not end', asValue('m.contains!('.repeat(200))),
  contract('keys in keys with two arguments', asValue(`${'m.contains!('.repeat(150)}1${',2)'.repeat(150)}`)),
];

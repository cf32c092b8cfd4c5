import { contract, filling, type HostileSource, project, times } from './source-forms.js';

export const members: readonly HostileSource[] = [
  project(
    'contracts',
    times(7_000, (i) => `Contract A${i}(){pub fn f()->(){}}`),
  ),
  project(
    'contracts that call each other',
    times(3_500, (i) => `Contract A${i}(){pub fn f(a:A${(i + 1) % 3_500})->(){a.f(a)}}`),
  ),
  project(
    'scripts',
    times(7_000, (i) => `TxScript S${i}{assert!(true,1)}`),
  ),
  project(
    'structs',
    times(9_000, (i) => `struct S${i}{a:U256}`),
  ),
  contract('functions', `Contract A(){${times(9_000, (i) => `pub fn f${i}()->(){}`)}}`),
  contract(
    'private functions that call the next',
    `Contract A(){${times(6_000, (i) => `fn f${i}()->(){f${(i + 1) % 6_000}()}`)}}`,
  ),
  contract(
    'functions whose names begin alike',
    `Contract A(){${times(1_000, (i) => `fn f${'o'.repeat(i % 230)}${i}()->(){}`)}}`,
  ),
  contract('functions of one name', `Contract A(){${times(9_000, () => 'pub fn f()->(){}')}}`),
  contract(
    'functions with parameters',
    `Contract A(){${times(2_000, (i) => `pub fn f${i}(${times(10, (j) => `a${j}:U256`, ',')})->(){}`)}}`,
  ),
  contract('fields', `Contract A(${times(20_000, (i) => `f${i}:U256`, ',')}){pub fn f()->(){}}`),
  contract(
    'mutable fields that are not assigned',
    `Contract A(${times(14_000, (i) => `mut f${i}:U256`, ',')}){pub fn f()->(){}}`,
  ),
  contract('fields of one name', `Contract A(${filling('f:U256,')}f:U256){pub fn f()->(){}}`),
  contract('constants', `Contract A(){${times(12_000, (i) => `const C${i}=${i}`, ' ')} pub fn f()->(){}}`),
  contract(
    'constants that use the one before',
    `Contract A(){const C0=1 ${times(9_000, (i) => `const C${i + 1}=C${i}+1`, ' ')} pub fn f()->(){}}`,
  ),
  contract('enums', `Contract A(){${times(9_000, (i) => `enum E${i}{A=1}`, ' ')} pub fn f()->(){}}`),
  contract('enums of one name', `Contract A(){${times(9_000, (i) => `enum E{A${i}=${i}}`, ' ')} pub fn f()->(){}}`),
  contract('fields of an enum', `Contract A(){enum E{${times(20_000, (i) => `F${i}=${i}`, ' ')}} pub fn f()->(){}}`),
  contract(
    'event types',
    `Contract A(){${times(9_000, (i) => `event E${i}(a:U256)`, ' ')} pub fn f()->(){emit E8999(1)}}`,
  ),
  contract(
    'uses of the last event',
    `Contract A(){${times(4_500, (i) => `event E${i}(a:U256)`, ' ')} pub fn f()->(){${'emit E4499(1) '.repeat(8_000)}}}`,
  ),
  contract('maps', `Contract A(){${times(8_000, (i) => `mapping[U256,U256] m${i}`, ' ')} pub fn f()->(){}}`),
  contract(
    'calls of the last of many functions',
    `Contract A(){${times(5_000, (i) => `pub fn f${i}()->(){}`)} pub fn g()->(){${'f4999() '.repeat(14_000)}}}`,
  ),
  contract(
    'fields of a struct',
    `struct S{${times(20_000, (i) => `a${i}:U256`, ',')}} Contract A(){pub fn f(s:S)->(){}}`,
  ),
  contract(
    'uses of the last field',
    `struct S{${times(250, (i) => `a${i}:U256`, ',')}} Contract A(s:S){pub fn f()->(){${'assert!(s.a249==0,0) '.repeat(11_000)}}}`,
  ),
  contract(
    'values of a struct of many fields',
    `struct S{${times(250, (i) => `a${i}:U256`, ',')}} Contract A(){pub fn f()->(){${times(70, () => `g(S{${times(250, (i) => `a${i}:1`, ',')}})`)}} fn g(s:S)->(){}}`,
  ),
];

export const inheritance: readonly HostileSource[] = [
  project(
    'a chain of parents',
    `${times(6_000, (i) => `Abstract Contract A${i}()${i ? `extends A${i - 1}()` : ''}{}`)} Contract Z(){pub fn f()->(){}}`,
  ),
  project(
    'a chain of parents with a function each',
    `${times(3_500, (i) => `Abstract Contract A${i}()${i ? `extends A${i - 1}()` : ''}{fn f${i}()->(){}}`)} Contract Z(){pub fn f()->(){}}`,
  ),
  project(
    'children of a parent with many constants',
    `Abstract Contract A(){${times(5_000, (i) => `const C${i}=1`, ' ')}} ${times(4_000, (i) => `Abstract Contract B${i}()extends A(){}`)} Contract Z(){pub fn f()->(){}}`,
  ),
  project(
    'contracts of a parent with many functions',
    `Abstract Contract A(){${times(3_000, (i) => `pub fn f${i}()->(){}`)}} ${times(3_500, (i) => `Contract B${i}()extends A(){}`)}`,
  ),
  project('a parent many times', `Abstract Contract A(){pub fn f()->(){}} Contract B()extends ${filling('A(),')}A(){}`),
  project(
    'contracts that name each parent of a chain',
    `${times(2_000, (i) => `Abstract Contract A${i}()${i ? `extends A${i - 1}()` : ''}{}`)} ${times(
      10,
      (j) => `Abstract Contract B${j}()extends ${times(2_000, (i) => `A${(i * 7 + j) % 2_000}()`, ',')}{}`,
    )} Contract Z(){pub fn f()->(){}}`,
  ),
  project(
    'a ladder of two parents',
    `${times(2_500, (i) => `Abstract Contract A${i}()${i > 1 ? `extends A${i - 1}(),A${i - 2}()` : ''}{}`)} Contract Z(){pub fn f()->(){}}`,
  ),
  project(
    'fields for each parent',
    `${times(200, (i) => `Abstract Contract A${i}(${times(30, (j) => `a${j}:U256`, ',')}){}`)} Contract Z(${times(30, (j) => `a${j}:U256`, ',')})extends ${times(200, (i) => `A${i}(${times(30, (j) => `a${j}`, ',')})`, ',')}{pub fn f()->(){}}`,
  ),
  project(
    'a chain of interfaces',
    `${times(3_000, (i) => `Interface I${i} ${i ? `extends I${i - 1}` : ''}{pub fn f${i}()->()}`)} Contract Z()implements I200{pub fn f()->(){}}`,
  ),
  project(
    'interfaces behind a long chain',
    `${times(250, (i) => `Interface I${i} ${i ? `extends I${i - 1}` : ''}{pub fn f${i}()->()}`)} ${times(5_000, (i) => `Interface J${i} extends I249{pub fn g()->()}`)}`,
  ),
  project(
    'abstract contracts behind a long chain',
    `${times(250, (i) => `Interface I${i} ${i ? `extends I${i - 1}` : ''}{pub fn f${i}()->()}`)} ${times(5_500, (i) => `Abstract Contract J${i}()implements I249{}`)} Contract Z(){pub fn f()->(){}}`,
  ),
  project(
    'a chain of structs',
    `${times(9_000, (i) => `struct S${i}{a:S${i + 1}}`)} struct S9000{a:U256} Contract Z(s:S0){pub fn f()->(){}}`,
  ),
  project(
    'structs that double',
    `${times(60, (i) => `struct S${i}{a:S${i + 1},b:S${i + 1}}`)} struct S60{a:U256} Contract Z(s:S0){pub fn f()->(){}}`,
  ),
  project(
    'a struct of empty arrays that doubles',
    `${times(60, (i) => `struct S${i}{a:S${i + 1},b:S${i + 1}}`)} struct S60{a:[U256;0]} Contract Z(s:S0){pub fn f(t:S0)->(){let _=s}}`,
  ),
  project(
    'fields of a struct that doubles',
    `${times(15, (i) => `struct S${i}{mut a:S${i + 1},mut b:S${i + 1}}`)} struct S15{mut a:U256} Contract Z(${times(6_000, (i) => `mut s${i}:S0`, ',')}){pub fn f()->(){}}`,
  ),
];

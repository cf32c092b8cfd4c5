import { type GrammarHint } from './grammar-hint.js';
import { type Surroundings } from './reading.js';

const arrays = 'An array type has its element and its size: `[U256; 3]`.';
const integers = 'Integer types are `U256` and `I256`.';
const nameAndType = 'Each field or parameter is written `name: Type`.';
const capital =
  'Names of contracts, scripts, interfaces, structs, enums, events and constants begin with a capital letter.';
const small = 'Names of variables, fields, parameters and functions begin with a small letter.';

const declared: readonly Surroundings[] = ['fields', 'parameters', 'event fields', 'struct'];
const integerWord = /^(u?int\d*|[ui]\d+|[ui]size|Int|Uint\d*|UInt\d*)\b/;

/** Text outside of contracts, and their heads. */
const definitions = {
  structCase: {
    token: '`Struct`',
    within: ['source'],
    at: /^(Struct|STRUCT)\b/,
    text: '`{word}` is written `struct`.',
  },
  contractCase: {
    token: '`contract`',
    within: ['source'],
    at: /^(contract|CONTRACT)\b/,
    text: '`{word}` is written with a capital letter: `Contract`.',
  },
  abstractCase: {
    token: '`abstract`',
    within: ['source'],
    at: /^abstract\b/i,
    text: 'An abstract contract is `Abstract Contract`.',
  },
  interfaceCase: {
    token: '`interface`, `trait`',
    within: ['source'],
    at: /^(interface|trait)\b/i,
    text: '`{word}` is written `Interface`.',
  },
  scriptCase: { token: '`script`', within: ['source'], at: /^(tx)?script\b/i, text: '`{word}` is written `TxScript`.' },
  imports: {
    token: '`import`',
    within: ['source'],
    at: /^(import|pragma|use|package|from|include)\b/,
    text: 'A source has no `{word}`: it contains all definitions that it uses.',
  },
  modifierOfContract: {
    token: '`pub Contract`',
    within: ['source'],
    at: /^(pub|public|export)\s+(Abstract\s+)?(Contract|Interface|TxScript|struct)\b/,
    text: 'A definition has no `{word}`: a contract may be `Abstract`.',
  },
  topLevel: {
    token: '`fn`, `enum`',
    within: ['source'],
    before: /(^|\})$/,
    at: /^(pub|fn|function|enum|event|const|mapping|let|@using\([^)]*\)\s*(pub|fn))\b/,
    text: 'Functions, maps, events, constants and enums stand inside a contract.',
  },
  closesNothing: {
    token: '`}`, `)`',
    within: ['source', 'members', 'statements'],
    at: /^[)\]]/,
    text: 'This `{word}` closes nothing: there is one too many.',
  },
  closesNoDefinition: {
    token: '`}`',
    within: ['source'],
    before: /\}$/,
    at: /^\}/,
    text: 'This `{word}` closes nothing: there is one too many.',
  },
  noFields: {
    token: '`Contract A {`',
    before: /\bContract\s+[A-Z]\w*$/,
    at: /^([{:]|$|(extends|embeds|implements|is)\b)/,
    text: 'The fields of a contract stand in `( )` behind its name, also if there are none: `Contract A()`.',
  },
  parentWithoutFields: {
    token: '`extends P {`',
    before: /\)\s*(extends|embeds)\s[\w(),\s]*[A-Z]\w*$/,
    at: /^[^(\w]/,
    text: 'A parent is named with the fields that it gets: `extends P()`.',
  },
  interfaceParents: {
    token: '`implements I()`',
    before: /\b(implements\s[\w,\s]*|Interface\s+\w+(\s+extends\s[\w,\s]*)?)$/,
    at: /^\(/,
    text: 'An interface has no fields: it is named without `( )`.',
  },
  parentOrder: {
    token: '`implements I extends P`',
    before: /\bimplements\s[\w,\s]*$/,
    at: /^(extends|embeds)\b/,
    text: 'The parents with `extends` stand before the interfaces with `implements`.',
  },
  parents: {
    token: '`is`, `:`',
    within: ['source'],
    closed: 'fields',
    at: /^((is|extend|extending|inherits|inherit|implement|impl|with)\b|[:<])/,
    text: 'A contract has its parents after `extends`, its interfaces after `implements`.',
  },
  parentFields: {
    token: '`extends P(x: U256)`',
    before: /\b(extends|embeds)\s[\w,\s()]*\([\w,\s]*$/,
    at: /^[^\w),]|^\d/,
    text: 'The fields that a parent gets are fields of the contract, by their names alone: `extends P(x)`.',
  },
  structBraces: {
    token: '`struct S(`',
    before: /\bstruct\s+[A-Z]\w*$/,
    at: /^[^{]/,
    text: 'The fields of a struct stand in `{ }`: `struct S { a: U256 }`.',
  },
  memberBraces: {
    token: '`Contract A()`',
    within: ['source'],
    closed: 'fields',
    before: /\bContract\s+\w+\s*\([^()]*\)$/,
    text: 'The members of a contract stand in `{ }` behind its fields.',
  },
  annotationKey: {
    token: '`@using(key: true)`',
    before: /@\w+\s*\([^()]*\w$/,
    at: /^[:,)]/,
    text: 'Each key of an annotation has its value behind a `=`: `@using(preapprovedAssets = true)`.',
  },
  capital: {
    token: '`Contract a`',
    before: /\b(Contract|TxScript|AssetScript|Interface|struct|event|enum|const|emit)$/,
    at: /^[a-z_\d]/,
    text: capital,
  },
} as const satisfies Record<string, GrammarHint>;

/** Fields, parameters and their like. */
const lists = {
  self: {
    token: '`self`',
    within: ['parameters'],
    at: /^&?\s*(mut\s+)?self\b/,
    text: 'A function has no `self`: it reads the fields by their names.',
  },
  selfName: {
    token: '`self`',
    within: ['parameters'],
    before: /\bself$/,
    text: 'A function has no `self`: it reads the fields by their names.',
  },
  reference: { token: '`&`', within: declared, at: /^&/, text: 'There are no references: values are copied.' },
  declarationWord: { token: '`(let x: U256)`', within: declared, at: /^(let|var|const)\b/, text: nameAndType },
  entryComma: {
    token: '`x: U256; y: U256`',
    within: declared,
    before: /[\w\]]$/,
    at: /^(;|(mut\s+)?[a-z]\w*\s*:)/,
    text: 'Fields and parameters are separated by commas.',
  },
  defaultValue: {
    token: '`x: U256 = 1`',
    within: declared,
    before: /:\s*[\w[\]; ]+$/,
    at: /^=/,
    text: 'Fields and parameters have no default values.',
  },
  nullable: {
    token: '`U256?`',
    within: declared,
    at: /^\?/,
    text: 'There is no null: every value has a type and is given.',
  },
  trailingComma: { token: '`,`', before: /,$/, at: /^[)\]}]/, text: 'No comma stands behind the last entry.' },
  enumComma: {
    token: '`,`, `;`',
    within: ['enum'],
    at: /^[,;]/,
    text: 'The values of an enum are not separated by `{word}`.',
  },
  enumValue: {
    token: '`enum E { A }`',
    within: ['enum'],
    before: /\b[A-Z]\w*$/,
    text: 'Each name of an enum has its value: `A = 0`.',
  },
  enumName: { token: '`enum E { a = 0 }`', within: ['enum'], at: /^[a-z]/, text: capital },
  eventBraces: {
    token: '`event E {`',
    before: /\bevent\s+\w+$/,
    at: /^\{/,
    text: 'The fields of an event stand in `( )`: `event E(amount: U256)`.',
  },
  typeFirst: { token: '`U256 x`', within: declared, at: /^[A-Z]\w*\s+[a-z_]/, text: nameAndType },
  foreignTypeFirst: {
    token: '`uint x`',
    within: declared,
    before: /[(,{]\s*(mut\s+)?[a-z]\w*$/,
    at: /^[\w=]/,
    text: nameAndType,
  },
  typeMissing: {
    token: '`f(x)`',
    within: declared,
    before: /[(,{]\s*(mut\s+)?[a-z]\w*$/,
    at: /^[,)}]/,
    text: nameAndType,
  },
  capitalName: { token: '`X: U256`', within: declared, at: /^[A-Z_]\w*\s*:/, text: small },
  structEquals: {
    token: '`S { a = 1 }`',
    within: ['struct value'],
    at: /^=/,
    text: 'The fields of a struct follow a `:`: `S { a: 1 }`.',
  },
  structBrackets: {
    token: '`S({ a: 1 })`',
    before: /\b[A-Z]\w*\s*\($/,
    at: /^\{/,
    text: 'The value of a struct is `S { a: 1 }`.',
  },
} as const satisfies Record<string, GrammarHint>;

/** Members of contracts and their heads. */
const members = {
  results: {
    token: '`returns`, `:`, `=>`',
    within: ['members', 'statements'],
    closed: 'parameters',
    at: /^[^-]/,
    text: 'The results of a function follow `->`: `fn f() -> U256`; of one without, `fn f() -> ()`.',
  },
  reservedName: {
    token: '`for`, `return` as a name',
    before: /(\b(let|mut|fn)|[(,])$/,
    at: /^(if|else|for|while|return|let|fn|struct|enum|event|emit|const|mapping|extends|embeds|implements|alph)\b/,
    text: '`{word}` is a word of the language and no name.',
  },
  otherMap: {
    token: '`map`',
    within: ['members'],
    at: /^(map|Map|HashMap)\s*[[(<]/,
    text: 'A map has its types in `[ ]`: `mapping[Address, U256] balances`.',
  },
  construction: {
    token: '`constructor`',
    within: ['members'],
    at: /^(constructor|init)\b/,
    text: 'A contract has no constructor: its creator gives the values of its fields.',
  },
  modifiers: {
    token: '`modifier`',
    within: ['members'],
    at: /^modifier\b/,
    text: 'There are no modifiers: call a private function first.',
  },
  errors: {
    token: '`error`',
    within: ['members'],
    at: /^error\b/,
    text: 'Error codes are numbers, often of an enum: `enum ErrorCodes { TooLow = 0 }`.',
  },
  modifier: {
    token: '`public`, `payable`',
    within: ['members', 'statements'],
    at: /^(public|private|external|internal|static|override|virtual|payable|view|pure|async|export)\s+(pub|fn|function)\b/,
    text: 'A function that others may call begins with `pub fn`, any other with `fn`; there are no further modifiers.',
  },
  otherFunction: {
    token: '`function`',
    within: ['members'],
    at: /^((function|func|fun|def)\b|[a-z]\w*\s*\()/,
    text: 'A function begins with `fn`.',
  },
  modifierOrder: { token: '`fn pub`', before: /\bfn$/, at: /^pub\b/, text: '`pub` stands before `fn`.' },
  functionName: { token: '`fn F()`', before: /\bfn$/, at: /^[A-Z_\d]/, text: small },
  innerStruct: { token: '`struct`', within: ['members'], at: /^struct\b/, text: 'Structs stand outside of contracts.' },
  mapBrackets: {
    token: '`mapping(`',
    before: /\bmapping$/,
    at: /^[(<]/,
    text: 'A map has its types in `[ ]`: `mapping[Address, U256] balances`.',
  },
  mapArrow: {
    token: '`=>`',
    within: ['square brackets'],
    before: /\bmapping\s*\[\s*\w+$/,
    at: /^=>/,
    text: 'A map has its types in `[ ]`: `mapping[Address, U256] balances`.',
  },
  parametersMissing: {
    token: '`fn f {`',
    before: /\bfn\s+[a-z]\w*$/,
    at: /^([{<:]|->)/,
    text: 'The parameters of a function stand in `( )` behind its name: `fn f() -> ()`.',
  },
  otherCharacter: {
    token: '`my-name`',
    before: /\b(fn|Contract|TxScript|Interface|struct|enum|event|const|let|mut)\s+\w+$/,
    at: /^[-.$]/,
    text: 'Names consist of letters, digits and `_`.',
  },
  resultList: {
    token: '`-> U256, U256`',
    before: /->\s*\w+$/,
    at: /^,/,
    text: 'Several results stand in `( )`: `fn f() -> (U256, U256)`.',
  },
  noResultType: { token: '`-> {`', before: /->$/, at: /^\{/, text: 'A function without results ends in `-> ()`.' },
  functionBraces: {
    token: '`fn f() -> U256 return`',
    within: ['members'],
    before: /->\s*(\w+|\[[^\]]*\]|\([^()]*\))$/,
    at: /^(return|let|emit|if|while|for)\b/,
    text: 'The statements of a function stand in `{ }`.',
  },
  constantType: {
    token: '`const C: U256`',
    before: /\bconst\s+\w+$/,
    at: /^[:\w]/,
    text: 'A constant has no written type: `const C = 1`.',
  },
  innerFields: {
    token: '`x: U256`',
    within: ['members'],
    before: /[{})\w\]]$/,
    at: /^(let\b|var\b|mut\b|(public|private)\s+\w+\s|[a-z]\w*\s*:|(u?int\d*|address|bool|bytes\d*|string|mapping)\s+\w|[A-Z]\w*\s+[a-z]\w*)/,
    text: 'Fields stand in `( )` behind the name of the contract: `Contract A(mut x: U256)`.',
  },
} as const satisfies Record<string, GrammarHint>;

/** Types, where one stands or is meant. */
const types = {
  integerType: { token: '`u256`, `uint`', before: /[:[(,>]$/, at: integerWord, text: integers },
  boolType: { token: '`bool`', before: /[:[(,>]$/, at: /^(bool|boolean)\b/, text: 'The type is `Bool`.' },
  addressType: { token: '`address`', before: /[:[(,>]$/, at: /^address\b/, text: 'The type is `Address`.' },
  bytesType: {
    token: '`bytes`, `string`',
    before: /[:[(,>]$/,
    at: /^(bytes\d*|string|str)\b/,
    text: 'Bytes and texts are of type `ByteVec`.',
  },
  tupleType: {
    token: '`x: (U256, U256)`',
    before: /:$/,
    at: /^\(/,
    text: 'A type has one value: several are a struct or an array.',
  },
  mutInType: {
    token: '`: mut`',
    before: /:$/,
    at: /^mut\b/,
    text: 'The word `mut` stands before the name: `mut x: U256`.',
  },
  arrayComma: {
    token: '`[U256, 3]`',
    within: ['square brackets'],
    before: /[:(,>]\s*\[+\s*[\w;\s\]]+$/,
    at: /^[,\]]/,
    text: arrays,
  },
  arraySuffix: { token: '`U256[3]`', within: [...declared, 'members'], before: /[:>]\s*\w+$/, at: /^\[/, text: arrays },
  arrayOfOther: { token: '`uint[3] a`', within: declared, before: /[(,{;]\s*\w+$/, at: /^\[/, text: arrays },
  generic: { token: '`Vec<U256>`', before: /[:>]\s*\w+$/, at: /^</, text: `There are no generic types. ${arrays}` },
  noResult: {
    token: '`-> void`',
    before: /->$/,
    at: /^(void|unit)\b/,
    text: 'A function without results ends in `-> ()`.',
  },
} as const satisfies Record<string, GrammarHint>;

/** Definitions: the first that fits counts. */
export const definitionHints = { ...definitions, ...lists, ...members, ...types };

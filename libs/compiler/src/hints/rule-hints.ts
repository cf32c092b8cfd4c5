import { type RuleName } from '../errors/rules.js';

/** A hint for a broken rule. */
export interface RuleHint {
  readonly rules: readonly RuleName[];
  /** The token, for people. */
  readonly token: string;
  /** Pattern of the name that the error is about, or of the source from its place on. */
  readonly name?: RegExp;
  readonly at?: RegExp;
  /** The known name that fits: the same with or without its `!`, or a similar one. */
  readonly known?: 'built-in' | 'own' | 'near';
  /** Pattern of a value in the text of the error. */
  readonly value?: { readonly [Name in string]: RegExp };
  /** `{name}`: the name that the error is about; `{near}`: the one that was probably meant; `{signature}`: that of the function. */
  readonly text: string;
}

const functions = ['unknownFunction', 'unknownBuiltIn'] as const;
const names = ['unknownVariable', 'unknownConstant'] as const;
const types = ['unknownContract', 'unknownStruct', 'unknownParent'] as const;

const integers = 'Integer types are `U256` and `I256`.';

/** Functions. */
const calls = {
  builtInSign: {
    rules: ['unknownFunction', 'unknownMember', 'notContract'],
    token: '`assert`, `m.insert`',
    known: 'built-in',
    text: 'The names of built-in functions end with `!`: write `{near}`.',
  },
  ownSign: {
    rules: ['unknownBuiltIn', 'unknownMember'],
    token: '`own!`',
    known: 'own',
    text: 'Only the names of built-in functions end with `!`: write `{near}`.',
  },
  require: {
    rules: functions,
    token: '`require`',
    name: /^(require|check|ensure|expect)$/,
    text: 'A condition is required by `assert!(condition, errorCode)`.',
  },
  revert: {
    rules: functions,
    token: '`revert`',
    name: /^(revert|abort|fail|throw)$/,
    text: 'A transaction fails by `assert!(condition, errorCode)` or `panic!(errorCode)`.',
  },
  selfAddress: {
    rules: functions,
    token: '`address(this)`',
    name: /^address$/,
    text: 'The address of the contract is `selfAddress!()`; a literal address follows `@`.',
  },
  print: {
    rules: functions,
    token: '`print`',
    name: /^(print|println|log|dbg)$/,
    text: 'A debug message is emitted by `emit Debug`.',
  },
  not: { rules: functions, token: '`not`', name: /^not$/, text: '`not` is `!`.' },
  conversion: {
    rules: functions,
    token: '`u256(x)`',
    name: /^(u?int\d*|[ui]\d+|bytes\d*|string)$/,
    text: 'Types are converted by functions: `toU256!(x)`, `toI256!(x)`, `toByteVec!(x)`.',
  },
  nearFunction: {
    rules: [...functions, 'unknownMember'],
    token: '`asert!`',
    known: 'near',
    text: 'The nearest name is `{near}`.',
  },
  staticCall: {
    rules: ['notStatic'],
    token: '`A.g()`',
    text: 'Only `encodeFields!` is called by the name of a contract: a function of the own contract is `g()`, of another one `A(contractId).g()`.',
  },
  staticMember: {
    rules: ['staticFunction'],
    token: '`a.encodeFields!()`',
    text: 'A static function is called by the name of its contract: `A.encodeFields!()`.',
  },
  transfer: {
    rules: ['notContract'],
    token: '`a.transfer(1)`',
    at: /^\w+\s*\.\s*(transfer|send|call)\b/,
    text: 'Assets are sent by `transferToken!` and `transferTokenFromSelf!`.',
  },
  arrayFunction: {
    rules: ['notContract'],
    token: '`xs.push(1)`',
    at: /^\w+\s*\.\s*(push|pop|len|length|append|concat)\b/,
    text: 'Arrays and byte vectors have no functions: an array has a fixed size, `size!(bytes)` is that of bytes.',
  },
  methodOfValue: {
    rules: ['notContract'],
    token: '`x.f!()`',
    value: { isBuiltIn: /true/ },
    text: 'A built-in function takes its values in `( )`: `f!(x)`.',
  },
  private: {
    rules: ['externalPrivate'],
    token: '`a.g()`',
    text: 'Other contracts may call functions that begin with `pub fn`.',
  },
  signature: {
    rules: ['builtInArguments', 'overloadArguments', 'panicArguments'],
    token: '`assert!(x)`',
    name: /^(?!encodeFields$)/,
    text: 'Its signature is `{signature}`.',
  },
} as const satisfies Record<string, RuleHint>;

/** Variables, constants and fields. */
const variables = {
  caller: {
    rules: names,
    token: '`msg`',
    at: /^msg\b/,
    text: 'The caller is `callerAddress!()`; amounts are approved by `{caller -> ALPH: amount}` behind the name of a function.',
  },
  block: {
    rules: names,
    token: '`block`, `now`',
    at: /^(block|now)\b/,
    text: 'The time of the block is `blockTimeStamp!()`, in milliseconds.',
  },
  transaction: {
    rules: names,
    token: '`tx`',
    at: /^tx\s*\./,
    text: 'The transaction has `txId!()`, `txInputAddress!(0)` and others of their kind.',
  },
  self: {
    rules: names,
    token: '`self`, `this`',
    at: /^(self|this)\b/,
    text: 'Fields and functions of the own contract are used by their names alone; `selfContract!()` is the contract, `selfAddress!()` its address.',
  },
  parent: {
    rules: names,
    token: '`super`',
    at: /^super\b/,
    text: 'Functions of a parent are called by their names alone.',
  },
  console: { rules: names, token: '`console`', at: /^console\b/, text: 'A debug message is emitted by `emit Debug`.' },
  encoding: {
    rules: names,
    token: '`abi`',
    at: /^abi\b/,
    text: 'Values are encoded by `encodeToByteVec!` and `toByteVec!`.',
  },
  bounds: {
    rules: names,
    token: '`U256.max`',
    at: /^[UI]256\s*\./,
    text: 'The bounds of integers are `u256Max!()`, `i256Max!()` and `i256Min!()`.',
  },
  typeAsValue: {
    rules: names,
    token: '`[U256; 3]`',
    name: /^(U256|I256|Bool|ByteVec|Address)$/,
    text: '`{name}` is a type; an array is made of a value and its size: `[0; 3]`.',
  },
  null: {
    rules: names,
    token: '`null`',
    at: /^(null|nil|none|undefined)\b/,
    text: 'There is no null: every value has a type and is given.',
  },
  builtInValue: {
    rules: names,
    token: '`callerAddress`',
    known: 'built-in',
    text: 'The names of built-in functions end with `!`, and a call has its `( )`: write `{near}()`.',
  },
  nearVariable: {
    rules: [...names, 'unknownEvent', 'unknownStructField'],
    token: '`amout`',
    known: 'near',
    text: 'The nearest name is `{near}`.',
  },
  mutability: {
    rules: ['immutableVariable'],
    token: '`y = 2`',
    text: 'Only a name that is declared with `mut` can be assigned: `let mut y = 1`, `mut y: U256`.',
  },
  fieldMutability: {
    rules: ['immutableField', 'immutableInVariable', 'immutableInField', 'immutableInMapValue', 'immutableInElement'],
    token: '`p.x = 2`',
    text: 'A field of a struct can be assigned if it is declared with `mut`: `struct P { mut x: U256 }`.',
  },
  neverAssigned: {
    rules: ['unassignedFields', 'unassignedLocals'],
    token: '`mut`',
    text: 'A name that is never assigned is declared without `mut`.',
  },
  arraySize: {
    rules: ['notStruct'],
    token: '`xs.length`',
    value: { found: /^FixedSizeArray/ },
    text: 'An array has no fields: its size is a part of its type.',
  },
  bytesSize: {
    rules: ['notStruct'],
    token: '`bytes.length`',
    at: /^\w+\s*\.\s*(length|len|size)\b/,
    value: { found: /^ByteVec$/ },
    text: 'The size of a byte vector is `size!(bytes)`.',
  },
} as const satisfies Record<string, RuleHint>;

/** Types and values. */
const values = {
  valueConversion: {
    rules: ['unknownContract'],
    token: '`U256(x)`',
    name: /^(U256|I256|ByteVec|Bool|Address)$/,
    at: /^\w+\s*\(/,
    text: 'Types are converted by functions: `toU256!(x)`, `toI256!(x)`, `toByteVec!(x)`.',
  },
  structValue: {
    rules: ['unknownContract'],
    token: '`S(1)`',
    known: 'own',
    text: 'The value of a struct is written with its fields in `{ }`: `{name} { a: 1 }`.',
  },
  otherInteger: {
    rules: ['unknownContract'],
    token: '`U64`, `Int`',
    name: /^(U?[Ii]nt\d*|[UI]\d+|Number|Integer)$/,
    text: integers,
  },
  otherBool: { rules: ['unknownContract'], token: '`Boolean`', name: /^Boolean$/, text: 'The type is `Bool`.' },
  otherBytes: {
    rules: ['unknownContract'],
    token: '`String`',
    name: /^(String|Str|Bytes\d*)$/,
    text: 'Bytes and texts are of type `ByteVec`.',
  },
  nearType: { rules: types, token: '`U265`', known: 'near', text: 'The nearest name is `{near}`.' },
  mixedIntegers: {
    rules: ['invalidOperands'],
    token: '`1i + x`',
    value: { types: /^List\((U256, I256|I256, U256)\)$/ },
    text: 'Both operands are of one type: `toI256!(x)` and `toU256!(x)` convert; `1i` is an I256.',
  },
  negation: {
    rules: ['invalidOperands'],
    token: '`!x`',
    value: { operator: /^!$/ },
    text: 'Only a Bool is negated by `!`: a number is compared, `x == 0`.',
  },
  joinedBytes: {
    rules: ['invalidOperands'],
    token: '`bytes + bytes`',
    value: { types: /^List\(ByteVec, ByteVec\)$/, operator: /^\+$/ },
    text: 'Byte vectors are joined by `++`.',
  },
  fraction: {
    rules: ['invalidNumber'],
    token: '`1.5`',
    at: /^\d+\.\d+/,
    text: 'Numbers are integers; `1.5 alph` is an amount in its smallest unit.',
  },
  hexPrefix: {
    rules: ['invalidByteVec'],
    token: '`#0x12`',
    at: /^0x/,
    text: 'A byte vector has its digits right behind the `#`: `#12ff`.',
  },
} as const satisfies Record<string, RuleHint>;

/** Functions and scripts as a whole. */
const wholes = {
  mainStatements: {
    rules: ['noMainStatement'],
    token: '`TxScript M { fn main() }`',
    text: 'The statements of a script stand in its `{ }`, before its functions.',
  },
  approvedAssets: {
    rules: ['noApprovedAsset'],
    token: '`{a -> 1 alph}`',
    text: 'Approved assets are `{address -> ALPH: 1 alph, tokenId: 2}`.',
  },
  approvals: {
    rules: ['approvalsMissing'],
    token: '`f()`',
    text: 'Assets are approved in `{ }` behind the name: `f{callerAddress!() -> ALPH: 1 alph}()`.',
  },
  usingApprovals: {
    rules: ['approvalsNotUsed'],
    token: '`f{..}()`',
    text: 'A function that uses approved assets has `@using(preapprovedAssets = true)` before it.',
  },
  nearAnnotation: {
    rules: ['unknownAnnotationKeys', 'annotationNotAllowed'],
    token: '`@using(preapprovedAsets = true)`',
    known: 'near',
    text: 'The nearest name is `{near}`.',
  },
  returning: {
    rules: ['noReturn'],
    token: '`-> U256`',
    text: 'Each way through the function ends in `return`; without results it is `-> ()`.',
  },
} as const satisfies Record<string, RuleHint>;

/** The hints for broken rules, by name; the first that fits counts. */
export const ruleHints: Readonly<Record<string, RuleHint>> = { ...calls, ...variables, ...values, ...wholes };

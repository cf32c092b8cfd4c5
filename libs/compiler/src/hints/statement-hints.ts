import { type GrammarHint } from './grammar-hint.js';

const declarations = 'A variable is declared with `let`: `let y = 1`, `let mut y = 1`.';
const small = 'Names of variables, fields, parameters and functions begin with a small letter.';

const loops = 'Loops are `while (condition) { }` and `for (let mut i = 0; i < 3; i = i + 1) { }`.';

const logic = '`and` is `&&`, `or` is `||`, `not` is `!`.';
const conversions = 'Types are converted by functions: `toI256!(x)`, `toU256!(x)`, `toByteVec!(x)`.';
const amounts = 'An amount of the coin is `1 alph`; without a unit it counts the smallest one.';
const unitName = 'The unit of an amount is written `alph`: `1 alph`.';

/** Characters, operators and words that the language does not have, wherever they stand. */
const foreignTokens = {
  blockComment: { token: '`/*`', at: /^\/\*/, text: 'Comments begin with `//` and end with the line.' },
  blockCommentRest: {
    token: '`/*`',
    before: /\/$/,
    at: /^\*/,
    text: 'Comments begin with `//` and end with the line.',
  },
  hashComment: { token: '`#`', within: ['source'], at: /^#/, text: 'Comments begin with `//` and end with the line.' },
  attribute: { token: '`#[`', at: /^#\[/, text: 'Annotations begin with `@`: `@using(preapprovedAssets = true)`.' },
  quotedString: { token: '`"`, `\'`', at: /^["']/, text: 'A string is a byte vector in back quotes: b`text`.' },
  path: {
    token: '`::`',
    at: /^::/,
    text: 'Members follow a `.`: `A.encodeFields!()` of a contract, `E.Value` of an enum.',
  },
  conditional: { token: '`?`', at: /^\?(?!\?)/, text: 'A choice between two values is `if (condition) 1 else 2`.' },
  wordAhead: { token: '`and`, `or`', before: /[\w)\]]$/, at: /^(and|or)\b/, text: logic },
  word: {
    token: '`and`, `or`',
    before: /[\w)\]]\s+(and|or)$/,
    at: /^[\w!(]/,
    text: logic,
  },
  tripleEquals: { token: '`===`', before: /[!=]=$/, at: /^=/, text: 'Values are compared with `==` and `!=`.' },
  castAhead: { token: '`as`', before: /[\w)\]]$/, at: /^as\b/, text: conversions },
  cast: {
    token: '`as`',
    before: /[\w)\]]\s+as$/,
    at: /^\w/,
    text: conversions,
  },
  unitAhead: { token: '`1 ether`', before: /\d$/, at: /^(ether|gwei|wei|coin)\b/, text: amounts },
  unit: {
    token: '`1 ether`',
    before: /\d\s*(ether|gwei|wei|coin)$/,
    text: amounts,
  },
  unitCase: {
    token: '`1 ALPH`',
    before: /\d\s*Alph$/,
    text: unitName,
  },
  unitCapitals: {
    token: '`1 ALPH`',
    before: /\d$/,
    at: /^(ALPH|Alph)\b/,
    text: unitName,
  },
  coin: {
    token: '`alph`',
    before: /(\D|^)$/,
    at: /^alph\b/,
    text: 'The id of the coin is `ALPH`; `1 alph` is an amount.',
  },
  minus: {
    token: '`-x`',
    before: /([=(,[{+*/<>-]|\breturn)$/,
    at: /^-\s*[a-z(]/,
    text: 'There is no unary minus: write `0i - x`.',
  },
  complement: { token: '`~`', at: /^~/, text: 'There is no operator `~`.' },
  creation: {
    token: '`new`',
    before: /\bnew\s+[A-Z]\w*\s*(\([^()]*\)?)?$/,
    text: 'A contract is created by `createContract!`; a contract that exists is `A(contractId)`.',
  },
  compound: {
    token: '`+=`',
    at: /^(\*\*|<<|>>|[-+*/%&|^])=(?!=)/,
    text: 'An assignment is written in full: `y = y + 1`.',
  },
  compoundRest: {
    token: '`+=`',
    before: /[-+*/%&|^]$/,
    at: /^=(?!=)/,
    text: 'An assignment is written in full: `y = y + 1`.',
  },
  increment: { token: '`++`', at: /^(\+\+|--)/, text: 'There is no `++` for numbers: write `y = y + 1`.' },
  incrementRest: {
    token: '`++`',
    before: /\w\s*(\+\+|--)$/,
    at: /^[);}]/,
    text: 'There is no `++` for numbers: write `y = y + 1`.',
  },
} as const satisfies Record<string, GrammarHint>;

/** Statements. */
const statements = {
  valueMissing: {
    token: '`let x`',
    before: /\blet\s+(mut\s+)?(?!mut$)[a-z]\w*$/,
    at: /^([;}\w]|$)/,
    text: 'A variable gets its value where it is declared: `let y = 1`.',
  },
  assignmentSign: { token: '`:=`', at: /^:=/, text: 'A value is assigned by `=`: `let y = 1`, `y = 2`.' },
  variableType: {
    token: '`let y: U256`',
    before: /\blet\s+(mut\s+)?\w+$/,
    at: /^:/,
    text: 'A variable has the type of its value: `let y = 1`; `let z = 1i` is an I256.',
  },
  severalVariables: {
    token: '`let a, b`',
    before: /\blet\s+(mut\s+)?\w+$/,
    at: /^,/,
    text: 'Several variables stand in `( )`: `let (a, b) = f()`.',
  },
  capitalVariable: { token: '`let Y`', before: /\blet\s+[A-Z]\w*$/, at: /^=/, text: small },
  capitalMutable: { token: '`let mut Y`', before: /\blet\s+mut$/, at: /^[A-Z]/, text: small },
  mutableOrder: { token: '`mut let`', at: /^mut\s+let\b/, text: '`mut` stands behind `let`: `let mut y = 1`.' },
  localConstant: {
    token: '`const`',
    within: ['statements'],
    at: /^const\b/,
    text: `Constants stand in the contract, before its functions. ${declarations}`,
  },
  mutableAlone: { token: '`mut y`', within: ['statements'], at: /^mut\b/, text: declarations },
  foreignDeclaration: {
    token: '`var y`, `U256 y`',
    within: ['statements', 'loop'],
    before: /\b(var|auto|final|u?int\d*|[ui]\d+|bool|address|bytes\d*|string|U256|I256|Bool|ByteVec|Address)$/,
    at: /^[a-z]\w*\s*(=|;|\n)/,
    text: declarations,
  },
  conditionBrackets: {
    token: '`if x`',
    before: /\b(if|while)$/,
    at: /^[^(]/,
    text: 'A condition stands in `( )`: `if (x > 1) { }`, `while (x > 1) { }`.',
  },
  loopBrackets: {
    token: '`for i in`',
    before: /\bfor$/,
    at: /^[^(]/,
    text: 'A loop is `for (let mut i = 0; i < 3; i = i + 1) { }`, or `while (condition) { }`.',
  },
  blockBraces: {
    token: '`if (x) return`',
    closed: 'condition',
    at: /^[a-z]/,
    text: 'The statements of a condition stand in `{ }`.',
  },
  loopBraces: {
    token: '`for (..) f()`',
    closed: 'loop',
    at: /^[a-z]/,
    text: 'The statements of a loop stand in `{ }`.',
  },
  elseBraces: {
    token: '`else return`',
    before: /\belse$/,
    at: /^(return|let|emit)\b/,
    text: 'The statements of a condition stand in `{ }`.',
  },
  otherElse: { token: '`elif`', before: /\b(elif|elsif|elseif)\s*\(.*\)$/, at: /^\{/, text: '`else if` is two words.' },
  emptyBlock: {
    token: '`{ }`',
    within: ['statements'],
    before: /\{$/,
    at: /^\}/,
    text: 'A block holds at least one statement.',
  },
  otherLoop: {
    token: '`loop`, `do`',
    within: ['statements', 'approvals'],
    before: /\b(loop|do)(\s*\{[^{}]*)?$/,
    text: loops,
  },
  otherBlock: {
    token: '`unchecked`, `try`',
    within: ['statements', 'approvals'],
    before: /\b(unchecked|unsafe|try)(\s*\{[^{}]*)?$/,
    text: 'There is no `unchecked`, `unsafe` or `try`: a failure undoes the transaction.',
  },
  bareBlock: {
    token: '`{ let y = 1 }`',
    within: ['statements'],
    before: /[{}]$/,
    at: /^\{/,
    text: 'A block in `{ }` belongs to a condition or a loop.',
  },
  comparison: {
    token: '`if (x = 1)`',
    within: ['condition'],
    at: /^=(?!=)/,
    text: 'Values are compared with `==` and `!=`.',
  },
  mutableList: {
    token: '`let mut (a, b)`',
    before: /\blet\s+mut$/,
    at: /^\(/,
    text: '`mut` stands before each variable: `let (mut a, mut b) = f()`.',
  },
  capitalBuiltIn: { token: '`Assert!`', before: /(^|[\s(,=])[A-Z]\w*$/, at: /^!(?!=)/, text: small },
  cases: {
    token: '`match`, `switch`',
    before: /\b(match|switch)(\s*\(.*\))?$/,
    at: /^[\w{]/,
    text: 'Cases are `if (a) { } else if (b) { } else { }`.',
  },
  failure: {
    token: '`throw`',
    before: /\b(throw|raise|revert)$/,
    at: /^[\w"]/,
    text: 'A transaction fails by `assert!(condition, errorCode)` or `panic!(errorCode)`.',
  },
  tuple: {
    token: '`return (1, 2)`',
    within: ['returned'],
    at: /^,/,
    text: 'Several results stand without `( )`: `return 1, 2`.',
  },
  eventWithoutEmit: {
    token: '`E(x)`',
    within: ['statements'],
    closed: 'arguments',
    before: /(^|[{})\n])\s*[A-Z]\w*\s*\([^()]*\)$/,
    at: /^[^.]/,
    text: 'An event is emitted by `emit E(x)`.',
  },
  loopEnd: {
    token: '`break`, `continue`',
    before: /\b(break|continue)$/,
    at: /^[^=.([]/,
    text: 'There is no `break` and no `continue`: a loop ends by its condition, or by `return`.',
  },
  functionValue: {
    token: '`= fn`',
    before: /[=(,]$/,
    at: /^fn\b/,
    text: 'A function is no value: it is declared in the contract.',
  },
  functionInFunction: {
    token: '`pub fn`',
    within: ['statements'],
    before: /[\w)\]}{]$/,
    at: /^(pub|fn|@using|Contract|Abstract|TxScript|Interface)\b/,
    text: 'The `{open}` of line {line} is not closed.',
  },
  definitionInContract: {
    token: '`Contract`',
    within: ['members'],
    at: /^(Contract|Abstract|TxScript|Interface)\b/,
    text: 'The `{open}` of line {line} is not closed.',
  },
  missingBracket: {
    token: '`)`, `]`',
    within: ['arguments', 'condition', 'loop', 'parentheses', 'returned', 'square brackets', 'parameters', 'fields'],
    before: /[\w)\]]$/,
    at: /^((let|return|emit|if|while|for|pub|fn)\b|[{}]|->)/,
    text: 'The `{open}` of line {line} is not closed.',
  },
  missingBrace: {
    token: 'end of the text',
    expected: '"}"',
    at: /^$/,
    text: 'The `{open}` of line {line} is not closed.',
  },
  semicolon: { token: '`;`', at: /^;/, text: 'There is no `;` at the end of statements and definitions.' },
  expressionStatement: {
    token: '`x + 1`',
    within: ['statements'],
    before: /[{}\n)]\s*[a-z]\w*$/,
    at: /^(\}|\*|\/|%|<|>|[-+](?!=)|==|!=|&|\|)/,
    text: 'A value alone is no statement: write `return` before a result.',
  },
  misspelled: { token: '`retrun x`', isNearKeyword: true, text: 'The nearest keyword is `{keyword}`.' },
  noDefinition: {
    token: 'any other word',
    within: ['source'],
    before: /(^|\})$/,
    text: 'A source consists of definitions: `Contract`, `Abstract Contract`, `TxScript`, `Interface` and `struct`.',
  },
  elsewhere: {
    token: 'anything else, behind the place of the error',
    isElsewhere: true,
    text: 'The text does not fit from here on.',
  },
} as const satisfies Record<string, GrammarHint>;

/** Expressions and statements: the first that fits counts. */
export const statementHints = { ...foreignTokens, ...statements };

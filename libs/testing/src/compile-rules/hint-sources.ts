/** A source that gets the hint, and one that follows it. */
export interface HintSource {
  readonly wrong: string;
  readonly right: string;
}

type Pair = readonly [wrong: string, right: string];

const within =
  (frame: (part: string) => string) =>
  ([wrong, right]: Pair): HintSource => ({ wrong: frame(wrong), right: frame(right) });

const whole = within((source) => source);
const member = within((part) => `Contract A() {\n  ${part}\n  pub fn g(x: U256) -> U256 { return x }\n}`);
const body = within((part) => `Contract A() {\n  pub fn f(x: U256) -> U256 {\n    ${part}\n    return x\n  }\n}`);
const head = within((part) => `Contract A(${part}) { pub fn f() -> U256 { return 1 } }`);
const parameters = within((part) => `Contract A() { pub fn f(${part}) -> U256 { return 1 } }`);
const results = within((part) => `Contract A() { pub fn f()${part} }`);

const inContract = '{ pub fn f() -> () { return } }';
const definitions = {
  structCase: whole([
    `Struct S { a: U256 } Contract A() ${inContract}`,
    `struct S { a: U256 } Contract A() ${inContract}`,
  ]),
  contractCase: whole([`contract A() ${inContract}`, `Contract A() ${inContract}`]),
  abstractCase: whole([`abstract Contract A() ${inContract}`, `Abstract Contract A() ${inContract}`]),
  interfaceCase: whole(['interface I { pub fn f() -> () }', 'Interface I { pub fn f() -> () }']),
  scriptCase: whole(['script Main { return }', 'TxScript Main { return }']),
  imports: whole([`import "b.ral"\nContract A() ${inContract}`, `Contract A() ${inContract}`]),
  modifierOfContract: whole([`pub Contract A() ${inContract}`, `Contract A() ${inContract}`]),
  topLevel: whole(['fn f() -> () { return }', 'Contract A() { fn f() -> () { return } }']),
  closesNothing: body(['let y = (x + 1))', 'let y = (x + 1)']),
  closesNoDefinition: whole([`Contract A() ${inContract} }`, `Contract A() ${inContract}`]),
  noFields: whole([`Contract A ${inContract}`, `Contract A() ${inContract}`]),
  parentWithoutFields: whole([
    `Abstract Contract P() ${inContract} Contract A() extends P { pub fn g() -> () { f() } }`,
    `Abstract Contract P() ${inContract} Contract A() extends P() { pub fn g() -> () { f() } }`,
  ]),
  interfaceParents: whole([
    `Interface I { pub fn f() -> () } Contract A() implements I() ${inContract}`,
    `Interface I { pub fn f() -> () } Contract A() implements I ${inContract}`,
  ]),
  parentOrder: whole([
    `Interface I { pub fn f() -> () } Abstract Contract P() { } Contract A() implements I extends P() ${inContract}`,
    `Interface I { pub fn f() -> () } Abstract Contract P() { } Contract A() extends P() implements I ${inContract}`,
  ]),
  parents: whole([
    `Abstract Contract P() { } Contract A() is P() ${inContract}`,
    `Abstract Contract P() { } Contract A() extends P() ${inContract}`,
  ]),
  parentFields: whole([
    `Abstract Contract P(x: U256) { } Contract A(x: U256) extends P(x: U256) ${inContract}`,
    `Abstract Contract P(x: U256) { } Contract A(x: U256) extends P(x) ${inContract}`,
  ]),
  structBraces: whole([
    `struct S(a: U256) Contract A() ${inContract}`,
    `struct S { a: U256 } Contract A() ${inContract}`,
  ]),
  memberBraces: whole(['Contract A() pub fn f() -> () { return }', 'Contract A() { pub fn f() -> () { return } }']),
  annotationKey: member([
    '@using(updateFields: false) pub fn f() -> () { return }',
    '@using(updateFields = false) pub fn f() -> () { return }',
  ]),
  capital: whole([`Contract a() ${inContract}`, `Contract A() ${inContract}`]),
};

const lists = {
  self: parameters(['&self', '']),
  selfName: parameters(['self', '']),
  reference: parameters(['x: U256, &y: U256', 'x: U256, y: U256']),
  declarationWord: head(['let x: U256', 'x: U256']),
  entryComma: head(['x: U256; y: U256', 'x: U256, y: U256']),
  defaultValue: head(['x: U256 = 1', 'x: U256']),
  nullable: head(['x: U256?', 'x: U256']),
  trailingComma: head(['x: U256,', 'x: U256']),
  enumComma: member(['enum E { A = 0, B = 1 }', 'enum E { A = 0 B = 1 }']),
  enumValue: member(['enum E { A B }', 'enum E { A = 0 B = 1 }']),
  enumName: member(['enum E { a = 0 }', 'enum E { A = 0 }']),
  eventBraces: member(['event E { amount: U256 }', 'event E(amount: U256)']),
  typeFirst: head(['U256 x', 'x: U256']),
  foreignTypeFirst: head(['uint x', 'x: U256']),
  typeMissing: parameters(['x', 'x: U256']),
  capitalName: head(['X: U256', 'x: U256']),
  structEquals: within((part) => `struct S { a: U256 } Contract A() { pub fn f() -> U256 { ${part} return s.a } }`)([
    'let s = S { a = 1 }',
    'let s = S { a: 1 }',
  ]),
  structBrackets: within((part) => `struct S { a: U256 } Contract A() { pub fn f() -> U256 { ${part} return s.a } }`)([
    'let s = S({ a: 1 })',
    'let s = S { a: 1 }',
  ]),
};

const members = {
  results: results([' returns (U256) { return 1 }', ' -> U256 { return 1 }']),
  reservedName: member(['pub fn for() -> () { return }', 'pub fn next() -> () { return }']),
  otherMap: member(['map[Address, U256] balances', 'mapping[Address, U256] balances']),
  construction: member(['constructor() { }', '']),
  modifiers: member(['modifier onlyOwner() { }', 'fn onlyOwner() -> () { return }']),
  errors: member(['error TooLow();', 'enum ErrorCodes { TooLow = 0 }']),
  modifier: member(['public fn f() -> () { return }', 'pub fn f() -> () { return }']),
  otherFunction: member(['function f() -> () { return }', 'fn f() -> () { return }']),
  modifierOrder: member(['fn pub f() -> () { return }', 'pub fn f() -> () { return }']),
  functionName: member(['pub fn F() -> () { return }', 'pub fn f() -> () { return }']),
  innerStruct: whole([
    `Contract A() { struct S { a: U256 } pub fn f() -> () { return } }`,
    `struct S { a: U256 } Contract A() { pub fn f() -> () { return } }`,
  ]),
  mapBrackets: member(['mapping(Address => U256) balances', 'mapping[Address, U256] balances']),
  mapArrow: member(['mapping[Address => U256] balances', 'mapping[Address, U256] balances']),
  parametersMissing: member(['pub fn f -> () { return }', 'pub fn f() -> () { return }']),
  otherCharacter: member(['pub fn my-f() -> () { return }', 'pub fn my_f() -> () { return }']),
  resultList: results([' -> U256, U256 { return 1, 2 }', ' -> (U256, U256) { return 1, 2 }']),
  noResultType: results([' -> { return }', ' -> () { return }']),
  functionBraces: results([' -> U256 return 1', ' -> U256 { return 1 }']),
  constantType: member(['const C: U256 = 1', 'const C = 1']),
  innerFields: whole([
    'Contract A() { x: U256 pub fn f() -> U256 { return x } }',
    'Contract A(x: U256) { pub fn f() -> U256 { return x } }',
  ]),
};

const types = {
  integerType: head(['x: u256', 'x: U256']),
  boolType: head(['x: bool', 'x: Bool']),
  addressType: head(['x: address', 'x: Address']),
  bytesType: head(['x: string', 'x: ByteVec']),
  tupleType: head(['x: (U256, U256)', 'x: [U256; 2]']),
  mutInType: parameters(['x: mut U256', 'x: U256']),
  arrayComma: head(['xs: [U256, 3]', 'xs: [U256; 3]']),
  arraySuffix: head(['xs: U256[3]', 'xs: [U256; 3]']),
  arrayOfOther: head(['uint[3] xs', 'xs: [U256; 3]']),
  generic: head(['xs: Vec<U256>', 'xs: [U256; 3]']),
  noResult: results([' -> void { return }', ' -> () { return }']),
};

const expressions = {
  blockComment: whole([`/* token */ Contract A() ${inContract}`, `// token\nContract A() ${inContract}`]),
  blockCommentRest: body(['let y = x /* half */', 'let y = x // half']),
  hashComment: whole([`# token\nContract A() ${inContract}`, `// token\nContract A() ${inContract}`]),
  attribute: member([
    '#[payable] pub fn f() -> () { return }',
    '@using(preapprovedAssets = true) pub fn f() -> () { return }',
  ]),
  quotedString: body(['let name = "token"', 'let name = b`token`']),
  path: within((part) => `Contract A() { enum E { X = 1 } pub fn f() -> U256 { return ${part} } }`)(['E::X', 'E.X']),
  conditional: body(['let y = x > 1 ? 1 : 2', 'let y = if (x > 1) 1 else 2']),
  wordAhead: body(['if (x > 1 and x < 3) { return 1 }', 'if (x > 1 && x < 3) { return 1 }']),
  word: body(['let y = x > 1 and x < 3', 'let y = x > 1 && x < 3']),
  tripleEquals: body(['if (x === 1) { return 1 }', 'if (x == 1) { return 1 }']),
  castAhead: body(['let y = (x as I256)', 'let y = toI256!(x)']),
  cast: body(['let y = x as I256', 'let y = toI256!(x)']),
  unitAhead: body(['let y = (1 ether)', 'let y = (1 alph)']),
  unit: body(['let y = 1 ether', 'let y = 1 alph']),
  unitCase: body(['let y = 1 Alph', 'let y = 1 alph']),
  unitCapitals: body(['let y = 1 ALPH', 'let y = 1 alph']),
  coin: body(['let y = alph', 'let y = ALPH']),
  minus: body(['let y = -toI256!(x)', 'let y = 0i - toI256!(x)']),
  complement: body(['let y = ~x', 'let y = u256Max!() - x']),
  creation: body(['let a = new A()', 'let a = A(selfContractId!())']),
  compound: body(['let mut y = x y += 1', 'let mut y = x y = y + 1']),
  compoundRest: body(['let y = x += 1', 'let y = x + 1']),
  increment: body(['let mut y = x y++', 'let mut y = x y = y + 1']),
  incrementRest: body(['let y = (x++)', 'let y = (x + 1)']),
};

const statements = {
  valueMissing: body(['let y', 'let y = 1']),
  assignmentSign: body(['let y := 1', 'let y = 1']),
  variableType: body(['let y: U256 = 1', 'let y = 1']),
  severalVariables: within(
    (part) => `Contract A() { fn g() -> (U256, U256) { return 1, 2 } pub fn f() -> U256 { ${part} return a + b } }`,
  )(['let a, b = g()', 'let (a, b) = g()']),
  capitalVariable: body(['let Y = 1', 'let y = 1']),
  capitalMutable: body(['let mut Y = 1 Y = 2', 'let mut y = 1 y = 2']),
  mutableOrder: body(['mut let y = 1 y = 2', 'let mut y = 1 y = 2']),
  localConstant: body(['const Y = 1', 'let y = 1']),
  mutableAlone: body(['mut y = 1 y = 2', 'let mut y = 1 y = 2']),
  foreignDeclaration: body(['uint256 y = 1', 'let y = 1']),
  conditionBrackets: body(['if x > 1 { return 1 }', 'if (x > 1) { return 1 }']),
  loopBrackets: body([
    'for i in 0..3 { assert!(x > i, 0) }',
    'for (let mut i = 0; i < 3; i = i + 1) { assert!(x > i, 0) }',
  ]),
  blockBraces: body(['if (x > 1) return 1', 'if (x > 1) { return 1 }']),
  loopBraces: body([
    'for (let mut i = 0; i < 3; i = i + 1) assert!(x > i, 0)',
    'for (let mut i = 0; i < 3; i = i + 1) { assert!(x > i, 0) }',
  ]),
  elseBraces: body(['if (x > 1) { return 1 } else return 2', 'if (x > 1) { return 1 } else { return 2 }']),
  otherElse: body([
    'if (x > 1) { return 1 } elif (x > 0) { return 2 } else { return 3 }',
    'if (x > 1) { return 1 } else if (x > 0) { return 2 } else { return 3 }',
  ]),
  emptyBlock: body(['if (x > 1) { }', 'if (x > 1) { return 1 }']),
  otherLoop: body(['loop { f(x) }', 'while (true) { let _ = f(x) }']),
  otherBlock: body(['unchecked { let y = x + 1 }', 'let y = x + 1']),
  bareBlock: body(['{ let y = 1 }', 'let y = 1']),
  comparison: body(['if (x = 1) { return 1 }', 'if (x == 1) { return 1 }']),
  mutableList: within(
    (part) =>
      `Contract A() { fn g() -> (U256, U256) { return 1, 2 } pub fn f() -> U256 { ${part} a = 3 b = 4 return a + b } }`,
  )(['let mut (a, b) = g()', 'let (mut a, mut b) = g()']),
  capitalBuiltIn: body(['Assert!(x > 1, 0)', 'assert!(x > 1, 0)']),
  cases: body(['match x { 1 => f(2) }', 'if (x == 1) { return f(2) }']),
  failure: body(['if (x > 1) { throw x }', 'if (x > 1) { panic!(x) }']),
  tuple: results([' -> (U256, U256) { return (1, 2) }', ' -> (U256, U256) { return 1, 2 }']),
  eventWithoutEmit: within(
    (part) => `Contract A() { event E(x: U256) pub fn f(x: U256) -> U256 { ${part} return x } }`,
  )(['E(x)', 'emit E(x)']),
  loopEnd: body(['while (x > 1) { break }', 'while (x > 1) { return 1 }']),
  functionValue: body(['let g = fn(y) { return y }', 'let y = f(x)']),
  functionInFunction: whole([
    'Contract A() { pub fn f() -> U256 { return 1\n pub fn g() -> U256 { return 2 } }',
    'Contract A() { pub fn f() -> U256 { return 1 }\n pub fn g() -> U256 { return 2 } }',
  ]),
  definitionInContract: whole([
    `Contract A() { pub fn f() -> () { return }\nContract B() ${inContract}`,
    `Contract A() { pub fn f() -> () { return } }\nContract B() ${inContract}`,
  ]),
  missingBracket: body(['assert!(x > 1, 0', 'assert!(x > 1, 0)']),
  missingBrace: whole(['Contract A() { pub fn f() -> () { return }', 'Contract A() { pub fn f() -> () { return } }']),
  semicolon: body(['let y = 1;', 'let y = 1']),
  expressionStatement: member(['fn f(x: U256) -> U256 { x + 1 }', 'fn f(x: U256) -> U256 { return x + 1 }']),
  misspelled: member(['fn f(x: U256) -> U256 { retrun x }', 'fn f(x: U256) -> U256 { return x }']),
  noDefinition: whole(['hello', `Contract A() ${inContract}`]),
  elsewhere: body(['let y = x ^^ 1', 'let y = x ^ 1']),
};

/** By the name of the hint for a text that does not fit the grammar. */
export const grammarHintSources: Readonly<Record<string, HintSource>> = {
  ...definitions,
  ...lists,
  ...members,
  ...types,
  ...expressions,
  ...statements,
};

const withPoint = within((part) => `struct P { ${part} } Contract A(mut p: P) { pub fn f() -> () { p.x = 2 } }`);
const withBytes = within((part) => `Contract A() { pub fn f(bytes: ByteVec) -> ByteVec { ${part} return bytes } }`);
const paid = within((part) => `Contract A() { ${part} }`);

/** By the name of the hint for a broken rule. */
export const ruleHintSources: Readonly<Record<string, HintSource>> = {
  builtInSign: body(['assert(x > 1, 0)', 'assert!(x > 1, 0)']),
  ownSign: body(['let y = f!(x)', 'let y = f(x)']),
  require: body(['require(x > 1, 0)', 'assert!(x > 1, 0)']),
  revert: body(['revert()', 'panic!(0)']),
  selfAddress: body(['let y = address(x)', 'let y = selfAddress!()']),
  print: body(['print(x)', 'emit Debug(`x is ${x}`)']),
  not: body(['let y = not(x > 1)', 'let y = !(x > 1)']),
  conversion: body(['let y = int256(x)', 'let y = toI256!(x)']),
  nearFunction: body(['asert!(x > 1, 0)', 'assert!(x > 1, 0)']),
  staticCall: body(['let y = A.f(x)', 'let y = f(x)']),
  staticMember: whole([
    'Contract A(x: U256) { pub fn f(a: A) -> U256 { let (b, c) = a.encodeFields!() return x } }',
    'Contract A(x: U256) { pub fn f() -> U256 { let (b, c) = A.encodeFields!(x) return x } }',
  ]),
  transfer: body(['x.transfer(1)', 'transferToken!(callerAddress!(), selfAddress!(), ALPH, x)']),
  arrayFunction: body(['let xs = [1, 2] xs.push(3)', 'let xs = [1, 2, 3]']),
  methodOfValue: body(['let y = x.toI256!()', 'let y = toI256!(x)']),
  private: whole([
    'Contract A() { fn g() -> () { return } pub fn f(a: A) -> () { a.g() } }',
    'Contract A() { pub fn g() -> () { return } pub fn f(a: A) -> () { a.g() } }',
  ]),
  signature: body(['assert!(x > 1)', 'assert!(x > 1, 0)']),
  caller: body(['let y = msg.sender', 'let y = callerAddress!()']),
  block: body(['let y = block.timestamp', 'let y = blockTimeStamp!()']),
  transaction: body(['let y = tx.origin', 'let y = txInputAddress!(0)']),
  self: body(['let y = self.f(x)', 'let y = f(x)']),
  parent: body(['let y = super.f(x)', 'let y = f(x)']),
  console: body(['console.log(x)', 'emit Debug(`x is ${x}`)']),
  encoding: body(['let y = abi.encode(x)', 'let y = encodeToByteVec!(x)']),
  bounds: body(['let y = U256.max', 'let y = u256Max!()']),
  typeAsValue: body(['let y = [U256; 3]', 'let y = [0; 3]']),
  null: body(['let y = null', 'let y = 0']),
  builtInValue: body(['let y = callerAddress', 'let y = callerAddress!()']),
  nearVariable: body(['let amount = 1 let y = amout', 'let amount = 1 let y = amount']),
  mutability: body(['let y = 1 y = 2', 'let mut y = 1 y = 2']),
  fieldMutability: withPoint(['x: U256', 'mut x: U256']),
  neverAssigned: body(['let mut y = 1', 'let y = 1']),
  arraySize: body(['let xs = [1, 2] let y = xs.length', 'let xs = [1, 2] let y = xs[1]']),
  bytesSize: withBytes(['let y = bytes.length', 'let y = size!(bytes)']),
  valueConversion: body(['let y = I256(x)', 'let y = toI256!(x)']),
  structValue: within((part) => `struct S { a: U256 } Contract A() { pub fn f() -> U256 { ${part} return s.a } }`)([
    'let s = S(#)',
    'let s = S { a: 1 }',
  ]),
  otherInteger: parameters(['x: Uint256', 'x: U256']),
  otherBool: parameters(['x: Boolean', 'x: Bool']),
  otherBytes: parameters(['x: String', 'x: ByteVec']),
  nearType: parameters(['x: Adress', 'x: Address']),
  mixedIntegers: body(['let y = 1i + x', 'let y = 1 + x']),
  negation: body(['if (!x) { return 1 }', 'if (x == 0) { return 1 }']),
  joinedBytes: withBytes(['let y = bytes + #00', 'let y = bytes ++ #00']),
  fraction: body(['let y = 1.5', 'let y = 1.5 alph']),
  hexPrefix: body(['let y = #0x12', 'let y = #12']),
  mainStatements: whole(['TxScript Main { fn main() -> () { return } }', 'TxScript Main { return }']),
  approvedAssets: paid([
    '@using(preapprovedAssets = true) pub fn g() -> () { return } pub fn f() -> () { g{callerAddress!() -> 1 alph}() }',
    '@using(preapprovedAssets = true) pub fn g() -> () { return } pub fn f() -> () { g{callerAddress!() -> ALPH: 1 alph}() }',
  ]),
  approvals: paid([
    '@using(preapprovedAssets = true) pub fn g() -> () { return } @using(preapprovedAssets = true) pub fn f() -> () { g() }',
    '@using(preapprovedAssets = true) pub fn g() -> () { return } @using(preapprovedAssets = true) pub fn f() -> () { g{callerAddress!() -> ALPH: 1 alph}() }',
  ]),
  usingApprovals: paid([
    'pub fn g() -> () { return } @using(preapprovedAssets = true) pub fn f() -> () { g{callerAddress!() -> ALPH: 1 alph}() }',
    '@using(preapprovedAssets = true) pub fn g() -> () { return } @using(preapprovedAssets = true) pub fn f() -> () { g{callerAddress!() -> ALPH: 1 alph}() }',
  ]),
  nearAnnotation: member([
    '@using(preapprovedAsets = true) pub fn f() -> () { return }',
    '@using(preapprovedAssets = true) pub fn f() -> () { return }',
  ]),
  returning: results([' -> U256 { let y = 1 }', ' -> U256 { return 1 }']),
};

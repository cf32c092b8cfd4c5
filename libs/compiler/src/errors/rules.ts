/**
 * The rules that a source may break, in groups by the part of the language they belong to: name and text. `{name}` in a text
 * is a value that `compileError` gets. Errors of the grammar have no row: their texts are composed of its labels (protocol 06
 * §10.5). The page docs/compile-errors.md is made from this table.
 */
export const ruleGroups = {
  Names: {
    unknownVariable: 'Variable {name} does not exist or is used before declaration',
    unknownFunction: 'Function {name} does not exist',
    unknownBuiltIn: 'Built-in function {name} does not exist',
    unknownMember: 'Function TypeId({type}).{name} does not exist',
    unknownContract: 'Contract {name} does not exist',
    unknownEvent: 'Event {name} does not exist',
    globalNameTaken: 'Global variable has the same name as local variable: {name}',
    localNameTaken: 'Local variables have the same name: {name}',
    mapNamedLikeField: 'The map {name} cannot have the same name as the contract field',
    duplicateEntities: 'These TxScript/Contract/Interface/Struct are defined multiple times: {names}',
    duplicateFunctions: 'These functions are defined multiple times: {names}',
    duplicateEvents: 'These events are defined multiple times: {names}',
    duplicateMaps: 'These maps are defined multiple times: {names}',
    duplicateConstants: 'These constant variables are defined multiple times: {names}',
  },
  Types: {
    invalidOperands: 'Invalid param types {types} for {operator} operator',
    noEquality: 'Expect I256/U256/Bool/ByteVec/Address for {operator} operator',
    noOrder: 'Expect I256/U256 for {operator} operator',
    unsignedOnly: '{operator} accepts U256 only',
    ifConditionNotBool: 'Invalid type of condition expr: {types}',
    whileConditionNotBool: 'Invalid type of conditional expr "{condition}"',
    forConditionNotBool: 'Invalid condition type: {condition}',
    differentBranches: 'Invalid types of if-else expression branches, expected "{expected}", got "{found}"',
    conversionOfOther: 'Invalid expr {value} for contract address',
    notInstantiable: '{name} is not instantiable',
  },
  Assignments: {
    variableCount: 'Invalid variable declaration, expected {expected} variables, got {found} variables',
    noVariable: 'No variable declaration',
    localMap: 'Cannot define local map variable {name}',
    differentTypes: 'Cannot assign "{found}" to "{expected}"',
    mapAssigned: 'Cannot assign to map variable {name}.',
    immutableVariable: 'Cannot assign to immutable variable {name}.',
    immutableField: 'Cannot assign to immutable field {field} in struct {struct}.',
    immutableInVariable:
      'Cannot assign to variable {name}. Assignment only works when all of the (nested) fields are mutable.',
    immutableInField:
      'Cannot assign to field {field} in struct {struct}. Assignment only works when all of the (nested) fields are mutable.',
    immutableInMapValue:
      'Cannot assign to value in map "{map}". Assignment only works when all of the (nested) fields are mutable.',
    immutableInElement:
      'Cannot assign to immutable element in array {array}. Assignment only works when all of the (nested) fields are mutable.',
    unassignedFields: 'There are unassigned mutable fields in contract {contract}: {names}',
    unassignedLocals: 'There are unassigned mutable local vars in function {name}: {names}',
  },
  Constants: {
    unknownConstant: 'Constant variable {name} does not exist or is used before declaration',
    notConstant:
      'Expected constant value with primitive types Bool/I256/U256/ByteVec/Address, {form} are not supported',
    numberOverflow: '{type} overflow',
    bytesOverflow: 'ByteVec overflow',
    constantsNotUnsigned: 'Expect two U256 values for {operator} operator',
    constantsNotNumbers: 'Expect two I256 or two U256 values for {operator} operator',
  },
  'Arrays and maps': {
    invalidArraySize: 'Invalid array size: {size}',
    noSingleElementType: 'Expected single type for array element, got "{elements}"',
    differentElements: 'Array elements should have same type, got "{elements}"',
    indexNotUnsigned: 'Invalid array index type "{found}", expected "U256"',
    invalidIndex: 'Invalid array index {index}',
    indexNoInteger: 'Invalid array index: {index}',
    indexOutOfRange: 'Invalid array index: {index}, array size: {size}',
    notIndexable: 'Expected array or map type, got "{found}"',
    mapKeyNotPrimitive: 'The key type of map can only be primitive type',
    mapKeyOfOtherType: 'Invalid map key type "{found}", expected "{expected}"',
    notMap: 'Expected map type, got {found}',
    mapArgumentCount: 'Invalid args length, expected {expected}, got {found}',
    mapArguments: 'Invalid args type {found}, expected {expected}',
  },
  Structs: {
    emptyStruct: 'No field definition in struct {name}',
    duplicateStructFields: 'These struct fields are defined multiple times: {names}',
    circularStructs: 'These structs "{structs}" have circular references',
    unknownStruct: 'Struct "{name}" does not exist',
    unknownStructField: 'Field {field} does not exist in struct {struct}',
    notStruct: 'Expected struct type, got "{found}"',
    otherStruct: 'Expected struct type "{struct}", got "{found}"',
    differentStructFields: 'Invalid struct fields, expect {expected}',
    structFieldLeftOut: 'Struct field Ident({field}) does not exist',
  },
  Calls: {
    functionArguments: 'Invalid args type "{found}" for func {name}, expected "{expected}"',
    builtInArguments: 'Invalid args type "{found}" for builtin func {name}, expected "{expected}"',
    overloadArguments: 'Invalid args type "{found}" for builtin func {name}',
    panicArguments: 'Invalid args type for builtin func panic, optional "List(U256)" expected',
    notStatic: 'Expected static function, got "{name}"',
    staticFunction: 'Expected non-static function, got "{name}"',
    noSingleObject: 'Expected a single parameter for contract object, got "{object}"',
    notContract: 'Expected a contract for "FuncId({name},{isBuiltIn})", got "{object}"',
    externalPrivate: 'Call external private function of {type}',
    selectorConflict:
      "Function {name}'s method selector conflicts with function {other}'s method selector. Please use a new function name.",
  },
  Approvals: {
    approvalOfOther: 'Invalid address type: {address}',
    invalidApproval: 'Invalid token amount type: {amounts}',
    approvalsNotUsed: 'Function `{name}` does not use preapproved assets',
    approvalsMissing: 'Function `{name}` needs preapproved assets, please use braces syntax',
    contractAssetsNotUsed:
      'Function "{name}" does not use contract assets, but the annotation `assetsInContract` is enabled. Please remove the `assetsInContract` annotation or set it to `enforced`',
    contractAssetsNotEnabled:
      'Function "{name}" uses contract assets, please use annotation `assetsInContract = true`.',
    nothingPaid: 'Function "{name}" does not pay to the contract, but the annotation `payToContractOnly` is enabled.',
    payingNotEnabled:
      'Function "{name}" transfers assets to the contract, please set either `assetsInContract` or `payToContractOnly` to true.',
  },
  Annotations: {
    annotationNotAllowed: 'Invalid annotation {id}, {entity} only supports these annotations: {allowed}',
    unknownAnnotationKeys: 'Invalid keys for @{id} annotation: {keys}',
    duplicateAnnotationKeys: 'These keys are defined multiple times: {names}',
    annotationNotLiteral: 'Expect const value for annotation field, got {value}',
    annotationType: 'Expect {type} for {key} in annotation @{id}',
    invalidAssetsInContract: 'Invalid assetsInContract annotation, expected true/false/enforced',
    assetsAndPaying:
      'Can only enable one of the two annotations: @using(assetsInContract = true/enforced) or @using(payToContractOnly = true)',
    emptyStdId: 'The field id of the @std annotation must be a non-empty ByteVec',
    methodIndexInContract: 'The `methodIndex` annotation can only be used for interface functions',
    invalidMethodIndex: 'Invalid method index {index}, expecting a value in the range [0, 0xff]',
  },
  Inheritance: {
    unknownParent: 'Contract "{name}" does not exist',
    scriptAsParent: 'Expected contract "{name}", but was script',
    parentNotAbstract: 'Contract {name} can not be inherited',
    cyclicInheritance: 'Cyclic inheritance detected for contract {name}',
    unknownInheritedField: 'Inherited field "{field}" does not exist in contract "{contract}"',
    differentInheritedFields: 'Invalid contract inheritance fields, expected "{expected}", got "{found}"',
    fieldsForInterface: 'Interface "{name}" should not contain any "field"',
    duplicateImplementations: 'These functions are implemented multiple times: {names}',
    duplicateAbstractFunctions: 'These abstract functions are defined multiple times: {names}',
    differentSignature: 'Function "{name}" is implemented with wrong signature',
    unimplementedMethods: 'Contract {contract} has unimplemented methods: {names}',
    differentStdOptions: 'There are different std id enabled options on the inheritance chain of contract {contract}',
  },
  Interfaces: {
    emptyInterface: 'No function definition in Interface {name}',
    bodyInInterface: 'Interface function {name} should not have function body',
    notInterface: '{name} is not an interface',
    selectorNotInherited: 'Interface {name} does not use method selector, but its parent {parent} use method selector',
    unrelatedInterfaces:
      'Interface {name} does not inherit from {previous}, please annotate {name} with @using(methodSelector = true) annotation',
    methodIndexTaken: 'Function {name} have invalid predefined method index {index}',
    methodIndexOutOfBound:
      'The method index of these functions is out of bound: {names}, total number of methods: {count}',
    sameStdId: 'The std id of interface {name} is the same as parent interface',
    unrelatedStdId: 'The std id of interface {name} should start with {known}',
  },
  'Enums and events': {
    emptyEnum: 'No field definition in Enum {name}',
    duplicateEnumFields: 'These enum fields are defined multiple times: {names}',
    enumFieldTypes: 'Fields have different types in Enum {name}',
    enumFieldValues: 'Fields have the same value in Enum {name}',
    differentEnumTypes: 'There are different field types in the enum {name}: {type},{inheritedType}',
    enumFieldsTaken: 'There are conflict fields in the enum {name}: {fields}',
    debugEvent: 'Debug is a built-in event name',
    tooManyEventFields: 'Max 8 fields allowed for contract events',
    composedInEvent: 'Array and struct types are not supported for event "{name}"',
    eventArguments: 'Invalid args type {found} for event {event}({declared})',
  },
  Flow: {
    memberOrder: 'Contract statements should be in the order of `maps`, `events`, `consts`, `enums` and `methods`',
    noFunction: 'No function found in Contract "{name}"',
    noMethod: 'No methods found in "{name}"',
    repeatedModifiers: 'Duplicated function modifiers: List({modifiers})',
    noFinalElse: 'If ... else if constructs should be terminated with an else statement',
    noLoopStart: 'No initialize statement in for loop',
    noLoopUpdate: 'No update statement in for loop',
    consecutiveReturns: 'Consecutive return statements are not allowed',
    noReturn: 'Expected return statement for function "{name}"',
    differentResults: 'Invalid return types "{found}" for func {name}, expected "{expected}"',
  },
  Limits: {
    nestingTooDeep: 'Nesting too deep',
    tooManyVariables: 'Number of variables more than 255',
    tooManyTemplateVariables: 'Number of template variables more than 255',
    structTooLarge: 'The number of struct fields exceeds the maximum limit',
    tooManyInstructions: 'Too many instructions in function "{name}"',
    loopTooLong: 'Too many instructions for if-else branches',
    tooManyMembers: 'Too many inherited members in "{name}"',
    resultTooLong: 'The result is longer than {characters} characters',
  },
  Operations: {
    nothingToCompile: 'Invalid contract index 0',
    otherKind: 'The code is for {found}, not for {wanted}',
    abstractContract: 'Code generation is not supported for abstract contract "{name}"',
    noFieldList: 'Expected "["',
    openFieldList: 'Expected "]"',
  },
  Syntax: {
    noElse: 'Expected `else` statement',
    noMainStatement: 'Expected main statements for type `{name}`',
    mutableTemplate: 'Expected an immutable variable',
    noApprovedAsset: 'Expected non-empty asset(s) for address',
    numberOutOfRange: 'Expected an {type} value',
  },
  Literals: {
    invalidNumber: 'Invalid number',
    invalidByteVec: 'Invalid byteVec',
    invalidAddress: 'Invalid address',
  },
} as const;

type Groups = typeof ruleGroups;
export type RuleGroup = keyof Groups;
export type RuleName = { [Group in RuleGroup]: keyof Groups[Group] }[RuleGroup];

export type ErrorTitle = 'Compilation error' | 'Syntax error' | 'Type error';

/** The title of a group's errors, where it is not `Compilation error`. */
export const groupTitles: { readonly [Group in RuleGroup]?: ErrorTitle } = {
  Syntax: 'Syntax error',
  Literals: 'Type error',
};

/** Further lines below the text of a rule, for some rules. */
export const ruleFooters: { readonly [Rule in RuleName]?: string } = {
  noElse: 'Description: `if/else` expressions require both `if` and `else` statements to be complete.',
};

/** The text of a rule as a type: the names of its values are read from it. */
export type RuleText<Rule extends RuleName> = {
  [Group in RuleGroup]: Rule extends keyof Groups[Group] ? Groups[Group][Rule] : never;
}[RuleGroup];

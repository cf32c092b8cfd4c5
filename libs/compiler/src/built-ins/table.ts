import { isPrimitiveName, type PrimitiveName } from '../lexer/names.js';

/** `Contract`: any contract type. */
export type ParameterType = PrimitiveName | 'Contract';

export interface Overload {
  readonly parameters: readonly ParameterType[];
  readonly results: readonly PrimitiveName[];
  /** Behind the code of the arguments; a number is a U256 constant. */
  readonly instructions: readonly (string | number)[];
}

export interface BuiltIn {
  readonly name: string;
  /** For people: `fn name!(parameter:Type, optional?:Type) -> (Type)`. */
  readonly signature: string;
  readonly overloads: readonly Overload[];
  /** Whether asset scripts may use it. */
  readonly everywhere: boolean;
  /** Whether it must be called with approvals in braces. */
  readonly needsBraces: boolean;
  /** A rule of its own for arguments, result or code, in place of `overloads` (protocol 06 §7). */
  readonly special?: 'panic' | 'encodeToByteVec' | 'selfContract' | 'subContractIdInParentGroup' | undefined;
}

/**
 * A signature, and the instructions of each overload that it stands for: `a:A|B` is one for each type, `a?:A` one without and
 * one with it. Without instructions: the one of the function's name, with a capital first letter.
 */
type Row = readonly [signature: string, ...instructions: readonly string[]];

const words = (text: string, separator: string): string[] => (text === '' ? [] : text.split(separator));

const numberOrName = (word: string): string | number => (/^\d+$/.test(word) ? Number(word) : word);

/** The lists of parameter types that a parameter list stands for. */
const parameterLists = (written: string): ParameterType[][] => {
  let lists: ParameterType[][] = [[]];
  for (const [, isOptional, types] of written.matchAll(/\w+(\?)?: ?([\w|<>]+)/g)) {
    const alternatives = types!.replace('<Contract>', 'Contract').split('|') as ParameterType[];
    const longer = lists.flatMap((list) => alternatives.map((type) => [...list, type]));
    lists = isOptional ? [...lists, ...longer] : longer;
  }
  return lists;
};

interface Rights {
  readonly everywhere: boolean;
  readonly needsBraces: boolean;
}

const builtIns = (rights: Rights, rows: readonly Row[]): BuiltIn[] =>
  rows.map(([signature, ...instructions]) => {
    const [, name, parameters, results] = /^(\w+)\((.*)\) -> \((.*)\)$/.exec(signature)!;
    const ofName = name![0]!.toUpperCase() + name!.slice(1);
    const overloads = parameterLists(parameters!).map((list, i): Overload => ({
      parameters: list,
      results: words(results!, ', ').filter(isPrimitiveName),
      instructions: words(instructions[i] ?? ofName, ' ').map(numberOrName),
    }));
    return {
      name: name!,
      signature: `fn ${name}!${signature.slice(name!.length)}`,
      overloads,
      ...rights,
      special: specials[name!],
    };
  });

const specials: Readonly<Record<string, BuiltIn['special']>> = {
  panic: 'panic',
  encodeToByteVec: 'encodeToByteVec',
  selfContract: 'selfContract',
  subContractIdInParentGroup: 'subContractIdInParentGroup',
};

const i256MaxCode = 'U256Const1 255 U256SHL U256Const1 U256Sub U256ToI256';

const sizes = [1, 2, 4, 8, 16, 32];

/** Usable everywhere, also in asset scripts (protocol 06 §7.1). */
const everywhere: readonly Row[] = [
  ['assert(condition:Bool, errorCode:U256) -> ()', 'AssertWithErrorCode'],
  ['checkCaller(condition:Bool, errorCode:U256) -> ()', 'AssertWithErrorCode'],
  ['panic(errorCode?: U256) -> (Never)', 'ConstFalse Assert', 'ConstFalse Swap AssertWithErrorCode'],
  ['blake2b(data:ByteVec) -> (ByteVec)'],
  ['keccak256(data:ByteVec) -> (ByteVec)'],
  ['sha256(data:ByteVec) -> (ByteVec)'],
  ['sha3(data:ByteVec) -> (ByteVec)'],
  ['verifyTxSignature(publicKey:ByteVec) -> ()'],
  ['getSegregatedSignature() -> (ByteVec)'],
  ['verifySecP256K1(data:ByteVec, publicKey:ByteVec, signature:ByteVec) -> ()'],
  ['verifyED25519(data:ByteVec, publicKey:ByteVec, signature:ByteVec) -> ()'],
  ['verifyBIP340Schnorr(data:ByteVec, publicKey:ByteVec, signature:ByteVec) -> ()'],
  ['ethEcRecover(data:ByteVec, signature:ByteVec) -> (ByteVec)'],
  ['networkId() -> (ByteVec)'],
  ['txId() -> (ByteVec)'],
  ['blockTimeStamp() -> (U256)'],
  ['blockTarget() -> (U256)'],
  ['txInputsSize() -> (U256)'],
  ['txGasPrice() -> (U256)'],
  ['txGasAmount() -> (U256)'],
  ['txGasFee() -> (U256)'],
  ['txInputAddress(txInputIndex:U256) -> (Address)', 'TxInputAddressAt'],
  ['verifyAbsoluteLocktime(lockUntil:U256) -> ()'],
  ['verifyRelativeLocktime(txInputIndex:U256, lockDuration:U256) -> ()'],
  ['toI256(from:U256) -> (I256)', 'U256ToI256'],
  ['toU256(from:I256) -> (U256)', 'I256ToU256'],
  [
    'toByteVec(from:Bool|I256|U256|Address) -> (ByteVec)',
    'BoolToByteVec',
    'I256ToByteVec',
    'U256ToByteVec',
    'AddressToByteVec',
  ],
  ['size(bytes:ByteVec) -> (U256)', 'ByteVecSize'],
  ['byteVecSlice(bytes:ByteVec, from:U256, until:U256) -> (ByteVec)'],
  ['encodeToByteVec(...any) -> (ByteVec)', 'Encode'],
  ['zeros(n:U256) -> (ByteVec)'],
  ['isAssetAddress(address:Address) -> (Bool)'],
  ['isContractAddress(address:Address) -> (Bool)'],
  ['contractIdToAddress(contractId:ByteVec) -> (Address)'],
  ['byteVecToAddress(bytes:ByteVec) -> (Address)'],
  [
    'addressToContractId(contractAddress:Address) -> (ByteVec)',
    'Dup IsContractAddress Assert AddressToByteVec U256Const1 33 ByteVecSlice',
  ],
  ...sizes.map((size): Row => [`u256To${size}Byte(u256:U256) -> (ByteVec)`]),
  ...sizes.map((size): Row => [`u256From${size}Byte(bytes:ByteVec) -> (U256)`]),
  ['u256ToString(u256:U256) -> (ByteVec)'],
  ['i256ToString(i256:I256) -> (ByteVec)'],
  ['boolToString(bool:Bool) -> (ByteVec)'],
  ['dustAmount() -> (U256)', '1000000000000000'],
  ['mulModN(x:U256, y:U256, n:U256) -> (U256)'],
  ['addModN(x:U256, y:U256, n:U256) -> (U256)'],
  ['u256Max() -> (U256)', 'U256Const0 U256Const1 U256ModSub'],
  ['i256Max() -> (I256)', i256MaxCode],
  ['i256Min() -> (I256)', `${i256MaxCode} I256ConstN1 I256Mul I256ConstN1 I256Add`],
  ['groupOfAddress(address:Address) -> (U256)'],
];

/** Contracts and transaction scripts only (protocol 06 §7.2). */
const statefulOnly: readonly Row[] = [
  ['approveToken(fromAddress:Address, tokenId:ByteVec, amount:U256) -> ()'],
  ['tokenRemaining(address:Address, tokenId:ByteVec) -> (U256)'],
  ['transferToken(fromAddress:Address, toAddress:Address, tokenId:ByteVec, amount:U256) -> ()'],
  ['transferTokenFromSelf(toAddress:Address, tokenId:ByteVec, amount:U256) -> ()'],
  ['transferTokenToSelf(fromAddress:Address, tokenId:ByteVec, amount:U256) -> ()'],
  ['burnToken(address:Address, tokenId:ByteVec, amount:U256) -> ()'],
  ['destroySelf(refundAddress:Address) -> ()'],
  ['migrate(newBytecode:ByteVec) -> ()', 'MigrateSimple'],
  ['migrateWithFields(newBytecode:ByteVec, newEncodedImmFields:ByteVec, newEncodedMutFields:ByteVec) -> ()'],
  ['contractExists(contractId:ByteVec) -> (Bool)'],
  ['isCalledFromTxScript() -> (Bool)'],
  ['selfAddress() -> (Address)'],
  ['callerAddress() -> (Address)'],
  ['nullContractAddress() -> (Address)'],
  ['selfContractId() -> (ByteVec)'],
  ['selfTokenId() -> (ByteVec)', 'SelfContractId'],
  ['callerContractId() -> (ByteVec)'],
  ['callerInitialStateHash() -> (ByteVec)'],
  ['callerCodeHash() -> (ByteVec)'],
  ['contractInitialStateHash(contractId:ByteVec) -> (ByteVec)'],
  ['contractCodeHash(contractId:ByteVec) -> (ByteVec)'],
  ['selfContract() -> (<Contract>)', 'SelfContractId'],
  ['tokenId(contract:<Contract>) -> (ByteVec)', ''],
  ['contractId(contract:<Contract>) -> (ByteVec)', ''],
  ['contractAddress(contract:<Contract>) -> (Address)', 'ContractIdToAddress'],
  ['subContractId(subContractPath:ByteVec) -> (ByteVec)'],
  ['subContractIdOf(contract:<Contract>, subContractPath:ByteVec) -> (ByteVec)'],
  [
    'subContractIdInParentGroup(contract:<Contract>, subContractPath:ByteVec) -> (ByteVec)',
    'SubContractIdOf U256Const0 31 ByteVecSlice Swap 31 32 ByteVecSlice ByteVecConcat',
  ],
  ['payGasFee(payer:Address, amount:U256) -> ()'],
  ['minimalContractDeposit() -> (U256)', 'MinimalContractDeposit'],
  ['mapEntryDeposit() -> (U256)', 'MinimalContractDeposit'],
];

/** A function that creates a contract, and the one that issues a token with it, to an address if one is given. */
const creations = (name: string, from: readonly string[]): Row[] => {
  const instruction = name[0]!.toUpperCase() + name.slice(1);
  const parameters = [...from, 'encodedImmFields', 'encodedMutFields'].map((each) => `${each}:ByteVec`).join(', ');
  return [
    [`${name}(${parameters}) -> (ByteVec)`],
    [
      `${name}WithToken(${parameters}, issueTokenAmount:U256, issueTo?:Address) -> (ByteVec)`,
      `${instruction}WithToken`,
      `${instruction}AndTransferToken`,
    ],
  ];
};

/** Must be called with approvals in braces. */
const withBraces: readonly Row[] = [
  ['lockApprovedAssets(address:Address, timestamp:U256) -> ()'],
  ...creations('createContract', ['bytecode']),
  ...creations('copyCreateContract', ['contractId']),
  ...creations('createSubContract', ['subContractPath', 'bytecode']),
  ...creations('copyCreateSubContract', ['subContractPath', 'contractId']),
];

/** All built-in functions of the language (protocol 06 §7). */
export const builtInFunctions: readonly BuiltIn[] = [
  ...builtIns({ everywhere: true, needsBraces: false }, everywhere),
  ...builtIns({ everywhere: false, needsBraces: false }, statefulOnly),
  ...builtIns({ everywhere: false, needsBraces: true }, withBraces),
];

const byName: ReadonlyMap<string, BuiltIn> = new Map(builtInFunctions.map((each) => [each.name, each]));

export const builtInNamed = (name: string): BuiltIn | undefined => byName.get(name);

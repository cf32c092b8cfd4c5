/**
 * Operands and results of instructions, as in `uu>u`. Capitals are operands that need special constants: K contract id,
 * T token id, N small number, F field list, C contract code, O owner, P path, E exponent, L lock time.
 */
const rows: Readonly<Record<string, string>> = {
  'b>b': 'BoolNot',
  'bb>b': 'BoolAnd BoolOr BoolEq BoolNeq',
  'b>v': 'BoolToByteVec BoolToString',
  'ii>i': 'I256Add I256Sub I256Mul I256Div I256Mod',
  'ii>b': 'I256Eq I256Neq I256Lt I256Le I256Gt I256Ge',
  'uu>u': 'U256Add U256Sub U256Mul U256Div U256Mod U256ModAdd U256ModSub U256ModMul U256BitAnd U256BitOr U256Xor',
  'uN>u': 'U256SHL U256SHR',
  'uu>b': 'U256Eq U256Neq U256Lt U256Le U256Gt U256Ge',
  'i>u': 'I256ToU256',
  'u>i': 'U256ToI256',
  'i>v': 'I256ToByteVec I256ToString',
  'u>v': 'U256ToByteVec U256ToString U256To16Byte U256To32Byte',
  'N>v': 'U256To1Byte U256To2Byte U256To4Byte U256To8Byte Zeros',
  'vv>b': 'ByteVecEq ByteVecNeq',
  'v>u': 'ByteVecSize',
  'vv>v': 'ByteVecConcat',
  'vNN>v': 'ByteVecSlice',
  'v>v': 'Blake2b Keccak256 Sha256 Sha3',
  'aa>b': 'AddressEq AddressNeq',
  'a>v': 'AddressToByteVec',
  'a>b': 'IsAssetAddress IsContractAddress',
  'v>a': 'ByteVecToAddress',
  'K>u': 'U256From32Byte',
  'K>a': 'ContractIdToAddress',
  '>v': 'NetworkId TxId BlockHash',
  '>u': 'BlockTimeStamp BlockTarget TxGasPrice TxGasAmount TxGasFee TxInputsSize',
  'N>a': 'TxInputAddressAt',
  'N>': 'VerifyAbsoluteLocktime',
  'NN>': 'VerifyRelativeLocktime',
  'iE>i': 'I256Exp',
  'uE>u': 'U256Exp U256ModExp',
  'uuu>u': 'MulModN AddModN',
  'bN>': 'AssertWithErrorCode',
  'b>': 'Assert Log1',
  'iu>': 'Log2',
  'ivb>': 'Log3',
  'ubiva>': 'Log5',
};

/** Those of stateful code that work anywhere. */
const statefulRows: Readonly<Record<string, string>> = {
  '>v': 'CoinTokenId',
  '>a': 'CallerAddress NullContractAddress',
  'K>v': 'ContractInitialStateHash ContractCodeHash',
  'K>b': 'ContractExists',
  'KP>v': 'SubContractIdOf',
};

/** Those that need a contract, or a caller. */
const contractRows: Readonly<Record<string, string>> = {
  '>v': 'SelfContractId CallerContractId CallerInitialStateHash CallerCodeHash',
  '>a': 'SelfAddress',
  '>b': 'IsCalledFromTxScript',
  'P>v': 'SubContractId',
};

/** Those that need assets. */
const assetRows: Readonly<Record<string, string>> = {
  'O>u': 'CoinRemaining',
  'OT>u': 'TokenRemaining',
  'O>b': 'IsPaying',
  'ON>': 'ApproveCoin',
  'OTN>': 'ApproveToken BurnToken',
  'OON>': 'TransferCoin',
  'OOTN>': 'TransferToken',
  'OL>': 'LockApprovedAssets',
  'CFF>v': 'CreateContract',
  'CFFu>v': 'CreateContractWithToken',
  'CFFuO>v': 'CreateContractAndTransferToken',
  'KFF>v': 'CopyCreateContract',
  'KFFu>v': 'CopyCreateContractWithToken',
};

/** Those that need both. */
const ownAssetRows: Readonly<Record<string, string>> = {
  'ON>': 'TransferCoinFromSelf TransferCoinToSelf',
  'OTN>': 'TransferTokenFromSelf TransferTokenToSelf',
  'PCFF>v': 'CreateSubContract',
  'PKFFu>v': 'CopyCreateSubContractWithToken',
};

export interface InstructionSignature {
  readonly name: string;
  readonly operands: readonly string[];
  readonly results: readonly string[];
}

const signaturesOf = (table: Readonly<Record<string, string>>): readonly InstructionSignature[] =>
  Object.entries(table).flatMap(([types, names]) => {
    const [operands, results] = types.split('>') as [string, string];
    return names.split(' ').map((name) => ({ name, operands: [...operands], results: [...results] }));
  });

export const signatures = {
  stateless: signaturesOf(rows),
  stateful: signaturesOf(statefulRows),
  contract: signaturesOf(contractRows),
  assets: signaturesOf(assetRows),
  ownAssets: signaturesOf(ownAssetRows),
} as const;

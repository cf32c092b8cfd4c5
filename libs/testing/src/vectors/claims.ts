/** The part of the project whose tests walk a section; `text` is prose or shared input without tests of its own. */
export type Floor =
  | 'text'
  | 'encoding'
  | 'crypto'
  | 'primitives'
  | 'address'
  | 'script'
  | 'transaction'
  | 'block'
  | 'network'
  | 'dag'
  | 'state'
  | 'vm'
  | 'validation'
  | 'building'
  | 'mining'
  | 'policy'
  | 'wallet'
  | 'compiler'
  | 'http'
  | 'explorer'
  | 'later'
  | 'peers';

type Claims = { readonly [file: string]: { readonly [section: string]: Floor } };

/**
 * Which floor tests which section of the vector files. A new section of a file must be claimed here, otherwise the spec
 * beside this table fails. `later`: belongs to endpoints and jobs that do not exist yet. `peers`: belongs
 * to a service that does not exist yet (peer and mining protocols).
 */
export const vectorClaims: Claims = {
  'encoding.json': {
    about: 'text',
    sdkVersions: 'text',
    compactIntegers: 'encoding',
    compactNonCanonicalAccepted: 'encoding',
    compactErrors: 'encoding',
    primitives: 'encoding',
    hexText: 'encoding',
    scripts: 'transaction',
    hashes: 'crypto',
    doubleHashes: 'crypto',
    djb: 'crypto',
    xorByte: 'crypto',
    foldToInt32: 'crypto',
    merkleRoots: 'crypto',
    sign: 'crypto',
    verify: 'crypto',
    byteOrder: 'primitives',
    arithmetic: 'primitives',
    amountText: 'primitives',
    amountJson: 'primitives',
    amountOut: 'primitives',
    base58: 'address',
    base58Invalid: 'address',
    target: 'block',
    weights: 'block',
  },
  'addresses.json': {
    about: 'text',
    sdkVersions: 'text',
    wordListNote: 'text',
    wordListSha256: 'address',
    addresses: 'address',
    invalidAddresses: 'address',
    nonCanonicalAddresses: 'address',
    contractIds: 'address',
    subContractIds: 'address',
    mnemonics: 'address',
    bip39: 'address',
    bip32: 'address',
    nonAsciiPassphrases: 'address',
    mnemonicParse: 'address',
  },
  'transactions.json': {
    about: 'text',
    sdkVersions: 'text',
    signerKeys: 'transaction',
    transactions: 'transaction',
    templates: 'transaction',
    nonCanonicalAccepted: 'transaction',
    decodeErrors: 'transaction',
  },
  'blocks.json': {
    about: 'text',
    blocks: 'block',
    mainNetworkBlock: 'block',
    headers: 'block',
    headerErrors: 'block',
    chainIndex: 'block',
    genesis: 'block',
  },
  'consensus.json': {
    about: 'text',
    compactTarget: 'block',
    difficulty: 'block',
    hashRate: 'block',
    reward: 'block',
    chainIndexOfHash: 'block',
    headerHash: 'block',
    genesis: 'block',
    heightGapPenalty: 'dag',
    retarget: 'dag',
    groupOrder: 'dag',
    locatorHeights: 'dag',
    roundWeights: 'mining',
    confirmations: 'mining',
    difficultyReplay: 'mining',
    hashOrdering: 'primitives',
    replay: 'mining',
    rejected: 'mining',
    p2p: 'peers',
    minerProtocol: 'peers',
  },
  'vm.json': {
    description: 'text',
    opcodes: 'vm',
    instructionEncodings: 'vm',
    values: 'vm',
    valueVectors: 'vm',
    toByteVec: 'vm',
    methodHeaders: 'vm',
    contracts: 'vm',
    stateHashes: 'vm',
    scriptTemplates: 'vm',
    templateFields: 'later',
    assetScript: 'vm',
    contractIds: 'vm',
    subContractIds: 'vm',
    systemEventContracts: 'vm',
    creationEvent: 'vm',
    arithmetic: 'vm',
    byteConversions: 'vm',
    hashes: 'vm',
    ethEcRecover: 'vm',
    secp256k1: 'vm',
    ed25519: 'vm',
    bip340: 'vm',
    gasFormulas: 'vm',
    gasExecutions: 'vm',
    gasContractCalls: 'vm',
    assetOutputSplit: 'vm',
    contractOutput: 'vm',
    tokenOrder: 'vm',
    errorTexts: 'vm',
    contractDecoding: 'vm',
  },
  'vm-instructions.json': {
    description: 'text',
    source: 'text',
    conventions: 'text',
    defaults: 'vm',
    cases: 'vm',
    matrixNote: 'text',
    matrix: 'vm',
  },
  'vm-instructions-2.json': {
    description: 'text',
    source: 'text',
    conventions: 'text',
    defaults: 'vm',
    cases: 'vm',
  },
  'vm-random.json': {
    description: 'text',
    source: 'text',
    conventions: 'text',
    defaults: 'vm',
    cases: 'vm',
  },
  'contract-scenarios.json': {
    description: 'text',
    source: 'text',
    conventions: 'text',
    addresses: 'text',
    scenarios: 'vm',
  },
  'contract-scenarios-2.json': {
    description: 'text',
    source: 'text',
    conventions: 'text',
    addresses: 'text',
    scenarios: 'vm',
  },
  'rejected-blocks.json': {
    about: 'text',
    document: 'text',
    history: 'text',
    source: 'text',
    notReached: 'text',
    entries: 'validation',
  },
  'rejected-transactions.json': {
    about: 'text',
    document: 'text',
    history: 'text',
    source: 'text',
    notReached: 'text',
    entries: 'validation',
  },
  'contract-state.json': {
    description: 'text',
    valEncodings: 'state',
    hashes: 'state',
    lifeCycle: 'state',
    eventPages: 'state',
    systemEventContractIds: 'vm',
  },
  'state-trie.json': {
    description: 'text',
    nodeEncoding: 'state',
    sequences: 'state',
    orderIndependence: 'state',
    outputTrie: 'state',
    emptyWorldState: 'state',
    realHeader: 'state',
    genesisWorldStates: 'state',
    blockApplication: 'state',
  },
  'tx-building.json': {
    title: 'text',
    sdkVersion: 'text',
    document: 'text',
    conventions: 'text',
    keys: 'building',
    multisigAddress: 'building',
    gasEstimation: 'building',
    utxoOrder: 'building',
    utxoSelection: 'building',
    totalsNeeded: 'building',
    outputStructure: 'building',
    transfers: 'building',
    buildErrors: 'building',
    sweeps: 'building',
    sweepChunks: 'building',
    multiAddressGasSharing: 'building',
  },
  'tx-validation.json': {
    title: 'text',
    sdkVersion: 'text',
    document: 'text',
    conventions: 'text',
    transactions: 'validation',
    failedScriptConversion: 'validation',
    coinbase: 'block',
    reward: 'block',
    mempoolOrder: 'policy',
    templateTruncation: 'mining',
    confirmations: 'mining',
  },
  'compiler/expected.json': { description: 'text', source: 'text', cases: 'compiler' },
  'compiler/errors.json': { description: 'text', source: 'text', cases: 'compiler' },
  'compiler/generated/expected.json': { description: 'text', source: 'text', cases: 'compiler' },
  'compiler/generated/errors.json': { description: 'text', source: 'text', cases: 'compiler' },
  'compiler/builtins.json': { description: 'text', source: 'text', cases: 'compiler' },
  'compiler/grammar.json': { description: 'text', source: 'text', cases: 'compiler' },
  'compiler/deploy-scripts.json': { description: 'text', source: 'text', cases: 'compiler' },
  'compiler/state-literals.json': { description: 'text', source: 'text', cases: 'compiler' },
  'compiler/hashes.json': {
    description: 'text',
    enumNames: 'compiler',
    duplicateNames: 'compiler',
    selectors: 'compiler',
  },
  // Results without their sources: code and hashes are checked against each other, none of the 11 cases is compiled.
  'compiler/public-resources.json': { description: 'text', source: 'text', cases: 'compiler' },
  'http-examples.json': {
    about: 'text',
    walletStorageFile: 'text', // the form of another implementation's files, which we do not read (decisions, 7)
    walletDerivation: 'wallet',
    walletDeriveForGroup: 'wallet',
    walletMiner: 'wallet',
    sign: 'wallet',
    multisigAddress: 'http',
    p2pkhAddress: 'http',
    schnorrAddress: 'http',
    amountParse: 'http',
    amountHint: 'http',
    numberForms: 'http',
    gas: 'http',
    utxoSelection: 'http',
    transferBuild: 'http',
    deployScript: 'later',
    targetToHashrate: 'http',
    systemEventAddresses: 'later',
    transactionStatus: 'http',
    confirmedTexts: 'http',
    bytecodePatch: 'later',
    errors: 'http',
    errorsMeasured: 'http',
    shapes: 'http',
  },
  'explorer-examples.json': {
    about: 'text',
    systemEventContracts: 'explorer',
    hashRate: 'explorer',
    rowIds: 'explorer',
    ceilBuckets: 'explorer',
    hashrateCharts: 'explorer',
    transactionCounts: 'explorer',
    supplyDays: 'explorer',
    supplyText: 'explorer',
    decodeUnsignedTx: 'explorer',
    csvLine: 'explorer',
    csvFileName: 'explorer',
    interfaceIds: 'explorer',
    errors: 'later',
    sameAsPrevious: 'explorer',
    reorg: 'explorer',
    shapes: 'later',
  },
};

/** The sections of a vector file that a floor has claimed; its specs handle each of them. */
export const sectionsClaimedBy = (file: string, floor: Floor): string[] =>
  Object.entries(vectorClaims[file] ?? {}).flatMap(([section, owner]) => (owner === floor ? [section] : []));

/**
 * Sections, and parts of sections, that only the whole set has (`VECTORS_DIR`): the project may not carry them, and has no cases
 * of its own for them. Anything else that is missing or empty is a mistake.
 */
export const onlyInWholeSet: { readonly [file: string]: readonly string[] } = {
  'encoding.json': ['base58'],
  'addresses.json': ['bip39', 'bip32'],
  'transactions.json': ['templates'],
  'blocks.json': ['blocks', 'mainNetworkBlock', 'genesis.main', 'genesis.test'],
  'consensus.json': [
    'compactTarget',
    'difficulty',
    'hashRate',
    'chainIndexOfHash',
    'headerHash',
    'heightGapPenalty',
    'locatorHeights',
    'roundWeights',
    'confirmations',
    'minerProtocol',
  ],
  'vm.json': [
    'opcodes',
    'valueVectors',
    'methodHeaders',
    'contracts',
    'stateHashes',
    'scriptTemplates',
    'templateFields',
    'assetScript',
    'subContractIds',
    'systemEventContracts',
    'creationEvent',
    'byteConversions',
    'hashes',
    'ethEcRecover',
    'secp256k1',
    'bip340',
    'gasFormulas',
    'gasExecutions',
    'gasContractCalls',
    'assetOutputSplit',
    'contractOutput',
    'errorTexts',
  ],
  'contract-state.json': ['eventPages', 'systemEventContractIds'],
  'state-trie.json': ['realHeader', 'blockApplication'],
  'tx-validation.json': ['reward', 'templateTruncation', 'confirmations'],
  'compiler/hashes.json': ['duplicateNames'],
  'compiler/public-resources.json': ['cases'],
  'http-examples.json': [
    'multisigAddress',
    'p2pkhAddress',
    'schnorrAddress',
    'amountParse',
    'amountHint',
    'numberForms',
    'gas',
    'utxoSelection',
    'transactionStatus',
    'confirmedTexts',
    'bytecodePatch',
    'errors',
  ],
  'explorer-examples.json': ['decodeUnsignedTx', 'interfaceIds', 'errors'],
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Claimed parts that a parsed vector file lacks: sections that are missing or empty, and empty parts as `section.part`. */
export const gapsOf = (file: string, vectors: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(vectorClaims[file] ?? {}).flatMap(([section, floor]) => {
    if (floor === 'text') return [];
    const cases = vectors[section];
    if (cases === undefined || isEmptyList(cases)) return [section];
    if (typeof cases !== 'object' || cases === null || Array.isArray(cases)) return [];
    return Object.entries(cases).flatMap(([part, value]) => (isEmptyList(value) ? [`${section}.${part}`] : []));
  });

/**
 * Values of the development network for examples (00-decisions, 22 and 27): its genesis, its funded accounts by group,
 * and two transactions signed by these. Both can be submitted on a new network: first the payment, then the deployment.
 */
const accounts = [
  {
    address: '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH',
    publicKey: '0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0',
  },
  {
    address: '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF',
    publicKey: '0350050343db45152af7eb4dd56e7956bea08ee5783ed2a016ee22b1318a9c6b25',
  },
  {
    address: '15jjExDyS8q3Wqk9v29PCQ21jDqubDrD8WQdgn6VW2oi4',
    publicKey: '028bff16a5102770af5ef0171887cdc0f7dd8b8923f6533806fa3bff637ebcfbfb',
  },
  {
    address: '17cBiTcWhung3WDLuc9ja5Y7BMus5Q7CD9wYBxS1r1P2R',
    publicKey: '0202a1f5a6f1758caaf989f3914a1658d308f26588e1b42f3d78a475565f59d03a',
  },
] as const;

/** 2 of the keys of the groups 0 to 2; an address of group 0. */
const multisigAddress =
  'X48a5EME3x3VQYavYHsE2WWWBLTyW71CCrpoKJsTx7M2NNN9TAbviDnc1dXwXHZX7iXk6SPdqCH997P3eQfSBvcp3DYJvvqG3dek23Zxnh7WfZXjtMAQkuCbr8NGFC3a8GzJ65';

const genesis = {
  /** Genesis block of the chain from group 0 to group 0. */
  blockHash: '3141e20a6353672bedf64c3da3a0c238f2d771a665d019ec86c1a80c50d51590',
  /** Output of the account of group 1. */
  output: { hint: 1_900_212_619, key: '91079afe4f5d56d09fab2fa60a9369dcf145eb982aece94bf81d00c537e03231' },
} as const;

/** The account of group 1 pays 100 coins to the multisig address. */
const payment = {
  txId: '58ec4ef97c37e12ca1cde8cbedc5ad6bb76651d3c7868a6e146faae1c8ef727b',
  unsignedTx:
    '00040080004e20c1174876e800017142f18b91079afe4f5d56d09fab2fa60a9369dcf145eb982aece94bf81d00c537e03231000350050343db45152af7eb4dd56e7956bea08ee5783ed2a016ee22b1318a9c6b2502c5056bc75e2d631000000103bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a3388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c4660e73a4b2dcf9840361b8dbb5eba363ffdd7358e636c9370c71756e48db2fd0200000000000000000000c6d3bcb00053c2f4630000003388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c00000000000000000000',
  signature:
    'd32b0b35a82be8973970d8472263c87c607a61b447db94b84dd72fcec16c3127081b88347149a5dd6243739220cf7a7b39e210ae95e731ab638666f84bdd0112',
} as const;

/** A contract with one method, which returns 1. */
const contract = {
  code: '0001080100000001020d02',
  codeHash: '1af1de59ee07b069acebee877bf1dfadc5c5cc20e26bdca8156ce2b9e7696e1e',
  initialStateHash: '37542a9c2d14df56c204cf05306dd3cf0a186889cb521729fbfd302e1f4560ac',
  id: '44e02c22179a5b32d54cb73879d2ec0e834967bf13d0e827e0dd4c2bd7a7f800',
  address: 'yKp6V1AFWVgiofqMzGUvsD9cQ2k5bPLFqGQJMj8E1NZV',
} as const;

/** The multisig address creates the contract with one of these coins; the keys of the groups 0 and 2 have signed. */
const deployment = {
  txId: 'f58557787594101760f77319a4f35592f13d2e61f9b13d3e2fc0d9cd3b57c424',
  unsignedTx:
    '00040101010300000008150103bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a3388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c4660e73a4b2dcf9840361b8dbb5eba363ffdd7358e636c9370c71756e48db2fd0213c40de0b6b3a7640000a2140b0001080100000001020d02140100140100ad1880013880c1174876e8000137a444471ebee65c649839cd7c8ee6cb945b75dada78cc90c7c4063515632548fd07b67e01020381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b000028bff16a5102770af5ef0171887cdc0f7dd8b8923f6533806fa3bff637ebcfbfb0201c5055dca3b84957800000103bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a3388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c4660e73a4b2dcf9840361b8dbb5eba363ffdd7358e636c9370c71756e48db2fd0200000000000000000000',
  signatures: [
    '9cc4b45c592ea90a5b581342393bb2eb7b3b58c5a291eb217b3ba9379ade70f56c2bec56940d71ed3345b730f1236a3de9cd0efde63887b9dddc743c529f9593',
    '4d73181aba0b2c16f5926cdee9a5f2a673d4693fbbbcd035d0004fdba8d10dae0b3b5a35334b2e4c1da0e45fe9124e4b78672049ea57c4073dc03c4b92e54a47',
  ],
} as const;

export const developmentValues = {
  accounts,
  multisigAddress,
  genesis,
  payment,
  contract,
  deployment,
  /** A script that asserts a true condition. */
  script: '0101030000000303117b',
  /** Address whose events report contracts created in group 0 (protocol 07 §2.7). */
  creationEvents: 'tgx7VNFoP9DJiFMFgXXtafQZkUvyEdDHT9ryamHJZC9M',
} as const;

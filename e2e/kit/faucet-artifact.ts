/** The faucet as a compiler describes it to the public client library: its bytecode, and how to make that for tests of it. */
const method = (name: string, parameters: readonly (readonly [string, string])[], returnTypes: readonly string[]) => ({
  name,
  paramNames: parameters.map(([parameter]) => parameter),
  paramTypes: parameters.map(([, type]) => type),
  paramIsMutable: parameters.map(() => false),
  returnTypes: [...returnTypes],
});

export const faucetArtifact = {
  version: 'v2.14.9',
  name: 'Faucet',
  bytecode:
    '05050e1b403d404b4064010000000103d3c3401fcaa00002010000000103d3f4d264f1b102010201010012d30fb898ce16000e320c7ba00016002ba1' +
    '00b4b11600ab05b416005f010201010003d3a3a3874e1600b0010006060509d3b29ee9bd160016012a160216031604160502',
  codeHash: '8517f67ea58af64f1663fa6fcda471bf635703be5f08fd75ff5c75147c55cb90',
  fieldsSig: {
    names: ['symbol', 'name', 'decimals', 'supply', 'balance'],
    types: ['ByteVec', 'ByteVec', 'U256', 'U256', 'U256'],
    isMutable: [false, false, false, false, true],
  },
  eventsSig: [{ name: 'Withdraw', fieldNames: ['to', 'amount'], fieldTypes: ['Address', 'U256'] }],
  functions: [
    method('getBalance', [], ['U256']),
    method('id', [], ['ByteVec']),
    method('withdraw', [['amount', 'U256']], []),
    method('close', [['to', 'Address']], []),
    method(
      'sum',
      [
        ['a', '[U256;2]'],
        ['b', 'Bool'],
        ['c', 'I256'],
        ['d', 'ByteVec'],
        ['e', 'Address'],
      ],
      ['U256', 'Bool', 'I256', 'ByteVec', 'Address'],
    ),
  ],
  constants: [{ name: 'Limit', value: { type: 'U256', value: '2' } }],
  enums: [{ name: 'ErrorCodes', fields: [{ name: 'InvalidWithdrawAmount', value: { type: 'U256', value: '0' } }] }],
};
/** Turns the bytecode into the one with debug messages, which a development network is given. */
export const debugPatch = '=10-2=1-1+9=1-1+057=2-2+70=65-1+3=56+7e010977697468647261776e=78';
export const debugCodeHash = '610df17ba3a764214b5a0fa98b3006d7900184323bce304e1edcad550ceb1840';

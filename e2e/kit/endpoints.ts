import { type Kind, type ParameterKind } from './wrong-values.js';

/** A field of a body: where it stands (`destinations.0.address`), what it takes, and whether it must be there. */
export interface BodyField {
  readonly path: string;
  readonly kind: Kind;
  readonly required?: true;
  /** How a refusal that the documents word themselves names the field; default: its name. */
  readonly named?: string;
}

export interface BodyEndpoint {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** A request that is good in form. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly fields: readonly BodyField[];
}

export interface ParameterEndpoint {
  readonly method: 'GET' | 'POST';
  /** With `{name}` for the path parameter. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly parameters: readonly { readonly name: string; readonly kind: ParameterKind; readonly required?: true }[];
}

const address = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
const hash = 'ab'.repeat(32);
const publicKey = `02${'ab'.repeat(32)}`;
const signature = '01'.repeat(64);

const required = (path: string, kind: Kind): BodyField => ({ path, kind, required: true });
const optional = (path: string, kind: Kind): BodyField => ({ path, kind });

const destinationFields = (amount: string): readonly BodyField[] => [
  required('destinations', 'list'),
  required('destinations.0.address', 'address'),
  required(`destinations.0.${amount}`, 'amount'),
  optional('destinations.0.tokens', 'list'),
  required('destinations.0.tokens.0.id', 'hash'),
  required('destinations.0.tokens.0.amount', 'uint256'),
  optional('destinations.0.lockTime', 'timestamp'),
  optional('destinations.0.message', 'hexadecimal'),
];

const destinations = (amount: string): readonly unknown[] => [
  {
    address,
    [amount]: '1000000000000000000',
    tokens: [{ id: hash, amount: '1' }],
    lockTime: 1_900_000_000_000,
    message: 'ff',
  },
];

const sweep = {
  toAddress: address,
  maxAttoCoinPerUTXO: '1000000000000000000',
  lockTime: 1_900_000_000_000,
  gasAmount: 20000,
};
const sweepFields: readonly BodyField[] = [
  required('toAddress', 'address'),
  optional('maxAttoCoinPerUTXO', 'amount'),
  optional('lockTime', 'timestamp'),
  optional('gasAmount', 'count'),
  optional('gasPrice', 'uint256'),
  optional('targetBlockHash', 'hash'),
];

/** Every endpoint that reads a body, with a wallet of this name. */
export const bodyEndpoints = (walletName: string): readonly BodyEndpoint[] => [
  {
    method: 'POST',
    path: '/transactions/build',
    body: {
      fromPublicKey: publicKey,
      destinations: destinations('attoCoinAmount'),
      utxos: [{ hint: 1, key: hash }],
      gasAmount: 20000,
      gasPrice: '100000000000',
    },
    fields: [
      { ...required('fromPublicKey', 'publicKey'), named: 'public key' },
      ...destinationFields('attoCoinAmount'),
      optional('utxos', 'list'),
      required('utxos.0.hint', 'hint'),
      required('utxos.0.key', 'hash'),
      optional('gasAmount', 'count'),
      optional('gasPrice', 'uint256'),
      optional('targetBlockHash', 'hash'),
    ],
  },
  {
    method: 'POST',
    path: '/transactions/submit',
    body: { unsignedTx: '00', signature },
    fields: [required('unsignedTx', 'hexadecimal'), required('signature', 'signature')],
  },
  {
    method: 'POST',
    path: '/transactions/decode-unsigned-tx',
    body: { unsignedTx: '00' },
    fields: [required('unsignedTx', 'hexadecimal')],
  },
  {
    method: 'POST',
    path: '/multisig/address',
    body: { keys: [publicKey, `03${'ab'.repeat(32)}`], mrequired: 1 },
    fields: [
      required('keys', 'list'),
      required('keys.0', 'publicKey'),
      { ...required('mrequired', 'count'), named: 'm-of-n' },
    ],
  },
  {
    method: 'POST',
    path: '/multisig/build',
    body: { fromAddress: address, fromPublicKeys: [publicKey], destinations: destinations('amount') },
    fields: [
      required('fromAddress', 'address'),
      required('fromPublicKeys', 'list'),
      required('fromPublicKeys.0', 'publicKey'),
      ...destinationFields('amount'),
      optional('gas', 'count'),
      optional('gasPrice', 'uint256'),
    ],
  },
  {
    method: 'POST',
    path: '/transactions/sweep-address/build',
    body: { fromPublicKey: publicKey, ...sweep },
    fields: [required('fromPublicKey', 'publicKey'), ...sweepFields],
  },
  {
    method: 'POST',
    path: '/multisig/sweep',
    body: { fromAddress: address, fromPublicKeys: [publicKey], ...sweep },
    fields: [
      required('fromAddress', 'address'),
      required('fromPublicKeys', 'list'),
      required('fromPublicKeys.0', 'publicKey'),
      ...sweepFields,
    ],
  },
  {
    method: 'POST',
    path: '/transactions/build-multi-addresses',
    body: {
      from: [
        {
          fromPublicKey: publicKey,
          destinations: destinations('attoCoinAmount'),
          utxos: [{ hint: 1, key: hash }],
          gasAmount: 20000,
        },
      ],
      gasPrice: '100000000000',
    },
    fields: [
      required('from', 'list'),
      { ...required('from.0.fromPublicKey', 'publicKey'), named: 'public key' },
      ...destinationFields('attoCoinAmount').map((field) => ({ ...field, path: `from.0.${field.path}` })),
      optional('from.0.utxos', 'list'),
      required('from.0.utxos.0.hint', 'hint'),
      required('from.0.utxos.0.key', 'hash'),
      optional('from.0.gasAmount', 'count'),
      optional('gasPrice', 'uint256'),
      optional('targetBlockHash', 'hash'),
    ],
  },
  {
    method: 'POST',
    path: '/multisig/submit',
    body: { unsignedTx: '00', signatures: [signature] },
    fields: [
      required('unsignedTx', 'hexadecimal'),
      required('signatures', 'list'),
      required('signatures.0', 'signature'),
    ],
  },
  {
    method: 'POST',
    path: '/infos/misbehaviors',
    body: { type: 'Ban', peers: [] },
    fields: [required('type', 'text'), required('peers', 'list')],
  },
  {
    method: 'POST',
    path: '/infos/discovery',
    body: { type: 'Reachable', peers: [] },
    fields: [required('type', 'text'), required('peers', 'list')],
  },
  {
    method: 'POST',
    path: '/wallets',
    body: { password: 'xy', walletName: 'never' },
    fields: [
      required('password', 'text'),
      required('walletName', 'text'),
      optional('isMiner', 'flag'),
      optional('mnemonicPassphrase', 'text'),
      optional('mnemonicSize', 'count'),
    ],
  },
  {
    method: 'PUT',
    path: '/wallets',
    body: { password: 'xy', mnemonic: 'vault alarm sad', walletName: 'never' },
    fields: [
      required('password', 'text'),
      required('mnemonic', 'text'),
      optional('walletName', 'text'),
      optional('isMiner', 'flag'),
      optional('mnemonicPassphrase', 'text'),
    ],
  },
  {
    method: 'POST',
    path: `/wallets/${walletName}/unlock`,
    body: { password: 'x' },
    fields: [required('password', 'text'), optional('mnemonicPassphrase', 'text')],
  },
  {
    method: 'DELETE',
    path: `/wallets/${walletName}`,
    body: { password: 'x' },
    fields: [required('password', 'text')],
  },
  {
    method: 'POST',
    path: `/wallets/${walletName}/transfer`,
    body: { destinations: destinations('amount') },
    fields: [...destinationFields('amount'), optional('gas', 'count'), optional('gasPrice', 'uint256')],
  },
  {
    method: 'POST',
    path: `/wallets/${walletName}/sign`,
    body: { data: hash },
    fields: [required('data', 'hash')],
  },
  {
    method: 'POST',
    path: `/wallets/${walletName}/change-active-address`,
    body: { address },
    fields: [required('address', 'address')],
  },
  ...['sweep-active-address', 'sweep-all-addresses'].map((name): BodyEndpoint => ({
    method: 'POST',
    path: `/wallets/${walletName}/${name}`,
    body: { toAddress: address },
    fields: [
      required('toAddress', 'address'),
      optional('lockTime', 'timestamp'),
      optional('gasAmount', 'count'),
      optional('gasPrice', 'uint256'),
    ],
  })),
  {
    method: 'POST',
    path: `/wallets/${walletName}/reveal-mnemonic`,
    body: { password: 'x' },
    fields: [required('password', 'text')],
  },
];

const group = (name: string) => ({ name, kind: 'group', required: true }) as const;

/** Every endpoint with parameters in its path or query. */
export const parameterEndpoints = (walletName: string): readonly ParameterEndpoint[] => {
  const interval = {
    query: { fromTs: '1600000000000', toTs: '1600000000001' },
    parameters: [
      { name: 'fromTs', kind: 'timestamp', required: true },
      { name: 'toTs', kind: 'timestamp' },
    ],
  } as const;
  const blockHash = { query: {}, parameters: [{ name: 'block_hash', kind: 'hash' }] } as const;
  const ofAddress = { query: {}, parameters: [{ name: 'address', kind: 'address' }] } as const;
  const groups = { fromGroup: '0', toGroup: '0' };
  return [
    {
      method: 'GET',
      path: '/transactions/status',
      query: { txId: hash, ...groups },
      parameters: [
        { name: 'txId', kind: 'hash', required: true },
        { name: 'fromGroup', kind: 'group' },
        { name: 'toGroup', kind: 'group' },
      ],
    },
    {
      method: 'GET',
      path: '/transactions/details/{txId}',
      query: groups,
      parameters: [
        { name: 'txId', kind: 'hash' },
        { name: 'fromGroup', kind: 'group' },
        { name: 'toGroup', kind: 'group' },
      ],
    },
    { method: 'GET', path: '/addresses/{address}/group', ...ofAddress },
    {
      method: 'GET',
      path: '/addresses/{address}/balance',
      query: { mempool: 'true' },
      parameters: [
        { name: 'address', kind: 'address' },
        { name: 'mempool', kind: 'flag' },
      ],
    },
    { method: 'GET', path: '/addresses/{address}/utxos', ...ofAddress },
    { method: 'GET', path: '/infos/history-hashrate', ...interval },
    { method: 'GET', path: '/events/tx-id/{txId}', query: {}, parameters: [{ name: 'txId', kind: 'hash' }] },
    {
      method: 'GET',
      path: '/events/block-hash/{blockHash}',
      query: {},
      parameters: [{ name: 'blockHash', kind: 'hash' }],
    },
    {
      method: 'GET',
      path: '/events/contract/{contractAddress}',
      query: { start: '0' },
      parameters: [{ name: 'contractAddress', kind: 'address' }],
    },
    { method: 'GET', path: '/contracts/{address}/state', ...ofAddress },
    { method: 'GET', path: '/blockflow/blocks', ...interval },
    { method: 'GET', path: '/blockflow/blocks-with-events', ...interval },
    { method: 'GET', path: '/blockflow/blocks/{block_hash}', ...blockHash },
    { method: 'GET', path: '/blockflow/blocks-with-events/{block_hash}', ...blockHash },
    { method: 'GET', path: '/blockflow/headers/{block_hash}', ...blockHash },
    {
      method: 'GET',
      path: '/blockflow/is-block-in-main-chain',
      query: { blockHash: hash },
      parameters: [{ name: 'blockHash', kind: 'hash', required: true }],
    },
    {
      method: 'GET',
      path: '/blockflow/hashes',
      query: { ...groups, height: '0' },
      parameters: [group('fromGroup'), group('toGroup'), { name: 'height', kind: 'height', required: true }],
    },
    { method: 'GET', path: '/blockflow/chain-info', query: groups, parameters: [group('fromGroup'), group('toGroup')] },
    {
      method: 'POST',
      path: '/miners/cpu-mining/mine-one-block',
      query: groups,
      parameters: [group('fromGroup'), group('toGroup')],
    },
    {
      method: 'POST',
      path: `/wallets/${walletName}/derive-next-address`,
      query: {},
      parameters: [{ name: 'group', kind: 'group' }],
    },
    { method: 'GET', path: `/wallets/${walletName}/addresses/{address}`, ...ofAddress },
  ];
};

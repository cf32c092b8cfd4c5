/** Floods of requests that cost their sender little and the network much. */
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type Hash, maximalGasPerTx } from '@shardnode/protocol/primitives';
import { contractCodec, type Method, statefulScriptCodec, u256Constant } from '@shardnode/protocol/script';
import { referenceOf, type Transaction, transactionId } from '@shardnode/protocol/transaction';
import {
  assetOutput,
  buildSignedTransfer,
  instruction as op,
  methodOf,
  type SpendableOutput,
} from '@shardnode/testing/builders';
import { testKeyOfGroup, testKeysOfGroup } from '@shardnode/testing/keys';
import { type Flood } from './flood.js';
import { get, post } from './requests.js';
import {
  crowded,
  type FloodedNetwork,
  minerWallet,
  password,
  senders,
  submitOf,
  walletName,
} from './flooded-network.js';

const oneCoin = 10n ** 18n;
const halfAnHour = 30 * 60_000;
const coinText = oneCoin.toString();
const keyText = bytesToHex(senders[0]!.publicKey);
const payee = testKeyOfGroup(2, 4);
const unknownHash: Hash = 'ab'.repeat(32);

const range = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));

/** A loop that ends when the gas does. */
const endless: Method = methodOf([
  op('ConstTrue'),
  op('Pop'),
  u256Constant(1n),
  u256Constant(2n ** 256n - 1n),
  op('U256Exp'),
  op('Pop'),
  op('Jump', -5),
]);
const endlessScript = bytesToHex(encode(statefulScriptCodec, { methods: [endless] }));
const contractOf = (method: Method): string => bytesToHex(encode(contractCodec, { fieldLength: 0, methods: [method] }));
const largeContract = contractOf(methodOf(range(3_900, () => op('ConstTrue'))));

/** Of sender number `index`: spends its output. */
const transfer = (network: FloodedNetwork, index: number, more: object = {}): Transaction =>
  buildSignedTransfer({
    settings: network.settings,
    from: senders[index]!,
    spend: [network.outputs[index]!],
    outputs: [assetOutput(payee.lockupScript, oneCoin)],
    ...more,
  });

const failing = (network: FloodedNetwork, gasOf: (i: number) => number): Transaction[] =>
  range(400, (i) =>
    transfer(network, 100 + (i % 100), {
      script: { methods: [endless] },
      gasAmount: gasOf(i),
      outputs: [],
    }),
  );

/** Transactions of which each spends the change of the one before. */
const chainOf = (network: FloodedNetwork, sender: number, count: number): Transaction[] => {
  const found: Transaction[] = [];
  let spent = network.outputs[sender]!;
  const from = senders[sender]!;
  for (let i = 0; i < count; i++) {
    const outputs = [assetOutput(from.lockupScript, oneCoin / 1000n)];
    const made = buildSignedTransfer({ settings: network.settings, from, spend: [spent], outputs });
    found.push(made);
    spent = changeOf(made);
  }
  return found;
};

const changeOf = ({ unsigned }: Transaction): SpendableOutput => {
  const output = unsigned.fixedOutputs.at(-1)!;
  return { reference: referenceOf(output, transactionId(unsigned), unsigned.fixedOutputs.length - 1), output };
};

const destinations = (count: number, rest: object = {}) =>
  range(count, () => ({ address: payee.address, attoCoinAmount: coinText, ...rest }));
const tokens = range(8, (i) => ({ id: i.toString(16).padStart(64, '0'), amount: '1' }));

const build = (name: string, body: object, path = '/transactions/build'): Flood => ({
  name,
  requests: () => [post(path, { fromPublicKey: keyText, ...body })],
});

export const buildFloods = (): readonly Flood[] => [
  build('builds of one destination', { destinations: destinations(1) }),
  build('builds of 100 destinations', { destinations: destinations(100) }),
  build('builds of 1,024 destinations', { destinations: destinations(1_024) }),
  build('builds with 8 tokens each', { destinations: destinations(100, { tokens }) }),
  build('builds of an address of 20,000 outputs', {
    fromPublicKey: bytesToHex(crowded.publicKey),
    destinations: [{ address: payee.address, attoCoinAmount: (200n * oneCoin).toString() }],
  }),
  build('builds of more than an address has', {
    fromPublicKey: bytesToHex(crowded.publicKey),
    destinations: [{ address: payee.address, attoCoinAmount: (10n ** 7n * oneCoin).toString() }],
  }),
  build('builds of 1,024 named outputs', {
    destinations: destinations(1),
    utxos: range(1_024, (i) => ({ hint: 1, key: i.toString(16).padStart(64, '0') })),
  }),
  build(
    'sweeps of 20,000 outputs',
    { fromPublicKey: bytesToHex(crowded.publicKey), toAddress: payee.address },
    '/transactions/sweep-address/build',
  ),
  {
    name: 'builds of 64 addresses at once',
    requests: () => {
      const from = senders
        .slice(0, 100)
        .map(({ publicKey }) => ({ fromPublicKey: bytesToHex(publicKey), destinations: destinations(1) }));
      return [post('/transactions/build-multi-addresses', { from })];
    },
  },
  {
    name: 'multisig addresses of 64 keys',
    requests: () => [
      post('/multisig/address', {
        keys: senders.slice(0, 64).map(({ publicKey }) => bytesToHex(publicKey)),
        mrequired: 64,
      }),
    ],
  },
  {
    name: 'decoding of 256 outputs',
    requests: (network) => {
      const outputs = range(255, () => assetOutput(payee.lockupScript, oneCoin / 1000n));
      return [{ ...submitOf(transfer(network, 0, { outputs })), path: '/transactions/decode-unsigned-tx' }];
    },
  },
  {
    name: 'decoding of noise',
    requests: () => range(100, (i) => post('/transactions/decode-unsigned-tx', { unsignedTx: noise(i) })),
  },
  {
    name: 'signatures verified',
    requests: ({ document }) => [
      post(
        '/utils/verify-signature',
        document.paths['/utils/verify-signature']!['post']!.requestBody!.content['application/json']!.example,
      ),
    ],
  },
];

const noise = (seed: number): string =>
  '00040080004e20c1174876e80001'.concat(seed.toString(16).padStart(8, '0').repeat(1_000));

export const submitFloods = (): readonly Flood[] => [
  {
    name: 'submits of noise',
    requests: () =>
      range(100, (i) => post('/transactions/submit', { unsignedTx: noise(i), signature: '01'.repeat(64) })),
  },
  {
    name: 'submits with a wrong signature',
    requests: (network) => range(100, (i) => submitOf(transfer(network, i), '01'.repeat(64))),
  },
  {
    name: 'submits of spent outputs',
    requests: ({ settings, outputs }) =>
      range(100, (i) => {
        const { reference, output } = outputs[i]!;
        const spent = { reference: { ...reference, key: i.toString(16).padStart(64, '0') }, output };
        return submitOf(buildSignedTransfer({ settings, from: senders[i]!, spend: [spent], outputs: [] }));
      }),
  },
  { name: 'one good submit over and over', requests: (network) => [submitOf(transfer(network, 0))] },
  {
    name: 'double spends',
    requests: (network) => range(300, (i) => submitOf(transfer(network, 1, { gasAmount: 20_000 + i }))),
  },
  { name: 'failing scripts', requests: (network) => [submitOf(failing(network, () => maximalGasPerTx)[0]!)] },
  {
    name: 'failing scripts of varied bytes',
    requests: (network) => failing(network, (i) => maximalGasPerTx - i).map((each) => submitOf(each)),
  },
  {
    name: 'good submits',
    requests: (network) => {
      const chains = range(100, (i) => chainOf(network, i, 12));
      return range(1_200, (i) => submitOf(chains[i % 100]![Math.floor(i / 100)]!));
    },
  },
];

/** With `MINING=interval` and a small pool: transactions wait there. */
export const poolFloods = (): readonly Flood[] => [
  {
    name: 'dependent transactions fill the pool',
    requests: (network) => chainOf(network, 2, 900).map((each) => submitOf(each)),
  },
  { name: 'reads of a full pool', requests: () => [get('/mempool/transactions')] },
  { name: 'validations of a full pool', requests: () => [{ method: 'PUT', path: '/mempool/transactions/validate' }] },
];

const test = (bytecode: string) => post('/contracts/test-contract', { bytecode });

export const contractFloods = ({ contractAddress }: FloodedNetwork): readonly Flood[] => {
  const call = { group: 0, address: contractAddress, methodIndex: 0, args: [{ type: 'U256', value: '1' }] };
  return [
    { name: 'contract tests that use all gas', requests: () => [test(contractOf(endless))] },
    {
      name: 'contract tests of varied code',
      requests: () =>
        range(200, (i) =>
          test(
            contractOf({
              ...endless,
              instructions: [u256Constant(BigInt(i)), op('Pop'), ...endless.instructions],
            }),
          ),
        ),
    },
    { name: 'contract tests of 4 kB', requests: () => [test(largeContract)] },
    { name: 'contract calls', requests: () => [post('/contracts/call-contract', call)] },
    {
      name: 'contract calls with 1,000 values',
      requests: () => [
        post('/contracts/call-contract', { ...call, args: range(1_000, () => ({ type: 'U256', value: '1' })) }),
      ],
    },
    { name: 'multicalls', requests: () => [post('/contracts/multicall-contract', { calls: range(20, () => call) })] },
    { name: 'states of contracts', requests: () => [get(`/contracts/${contractAddress}/state`)] },
    {
      name: 'builds of scripts that use all gas',
      requests: () => [
        post('/contracts/unsigned-tx/execute-script', { fromPublicKey: keyText, bytecode: endlessScript }),
      ],
    },
    {
      name: 'builds of deployments of 4 kB',
      requests: () => [
        post('/contracts/unsigned-tx/deploy-contract', { fromPublicKey: keyText, bytecode: `${largeContract}0000` }),
      ],
    },
  ];
};

export const readFloods = ({ contractAddress, funded }: FloodedNetwork): readonly Flood[] => {
  const interval = () => `fromTs=${Date.now() - halfAnHour + 10_000}&toTs=${Date.now() + 5_000}`;
  return [
    { name: 'blocks of 30 minutes', requests: () => [get(`/blockflow/blocks?${interval()}`)] },
    { name: 'blocks with events of 30 minutes', requests: () => [get(`/blockflow/blocks-with-events?${interval()}`)] },
    {
      name: 'hashrate of a day',
      requests: () => [get(`/infos/history-hashrate?fromTs=${Date.now() - 24 * 2 * halfAnHour}`)],
    },
    { name: 'outputs of an address of 20,000', requests: () => [get(`/addresses/${crowded.address}/utxos`)] },
    {
      name: 'deep pages of outputs',
      requests: () => range(200, (i) => get(`/addresses/${crowded.address}/utxos?offset=${19_000 + i}&limit=5`)),
    },
    { name: 'balance of an address of 20,000', requests: () => [get(`/addresses/${crowded.address}/balance`)] },
    {
      name: 'balances of addresses without coins',
      requests: () => testKeysOfGroup(0, 300).map(({ address }) => get(`/addresses/${address}/balance`)),
    },
    {
      name: 'statuses of unknown transactions',
      requests: () => range(500, (i) => get(`/transactions/status?txId=${i.toString(16).padStart(64, '0')}`)),
    },
    {
      name: 'pages of events',
      requests: () => [
        get(`/events/contract/${contractAddress}?start=0&limit=100`),
        get(`/events/block-hash/${unknownHash}`),
      ],
    },
    {
      name: 'hashes at heights that are not there',
      requests: () => range(500, (i) => get(`/blockflow/hashes?fromGroup=0&toGroup=1&height=${2_147_483_000 + i}`)),
    },
    { name: 'hash index checks', requests: () => [{ method: 'PUT', path: '/utils/check-hash-indexing' }] },
    {
      name: 'blocks mined on request',
      requests: () =>
        range(16, (i) => ({
          method: 'POST',
          path: `/miners/cpu-mining/mine-one-block?fromGroup=${i >> 2}&toGroup=${i & 3}`,
        })),
    },
    {
      name: 'addresses of miners set',
      requests: ({ document }) => [
        post(
          '/miners/addresses',
          document.paths['/miners/addresses']!['put']!.requestBody!.content['application/json']!.example,
          'PUT',
        ),
      ],
    },
    { name: 'balance of one address', requests: () => [get(`/addresses/${funded[0]!.address}/balance`)] },
  ];
};

const wallet = `/wallets/${walletName}`;

export const walletFloods = (): readonly Flood[] => [
  { name: 'list of wallets', requests: () => [get('/wallets')] },
  { name: 'balances of a wallet', requests: () => [get(`${wallet}/balances`)] },
  {
    name: 'signatures of a wallet',
    requests: () => range(100, (i) => post(`${wallet}/sign`, { data: i.toString(16).padStart(64, '0') })),
  },
  {
    name: 'transfers of a wallet',
    requests: () => [post(`${wallet}/transfer`, { destinations: [{ address: payee.address, amount: '0.01 COIN' }] })],
  },
  { name: 'sweeps of a wallet', requests: () => [post(`${wallet}/sweep-all-addresses`, { toAddress: payee.address })] },
  {
    name: 'new addresses of a wallet',
    requests: () =>
      [`${wallet}/derive-next-address`, `/wallets/${minerWallet}/derive-next-miner-addresses`].map((path) => ({
        method: 'POST',
        path,
      })),
  },
  { name: 'unlocks', requests: () => [post(`${wallet}/unlock`, { password })] },
  {
    name: 'wrong passwords',
    requests: () => range(50, (i) => post(`/wallets/${minerWallet}/unlock`, { password: `wrong ${i}` })),
  },
  { name: 'mnemonics revealed', requests: () => [post(`${wallet}/reveal-mnemonic`, { password })] },
  {
    name: 'wallets created',
    requests: () => range(500, (i) => post('/wallets', { password, walletName: `flood-${i}` })),
  },
  {
    name: 'wallets restored',
    requests: () => [
      post('/wallets', { password, mnemonic: `${'abandon '.repeat(11)}about`, walletName: 'flood-restored' }, 'PUT'),
    ],
  },
];

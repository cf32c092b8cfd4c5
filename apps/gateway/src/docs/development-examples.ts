import { attoAmountField, maxAttoAmountField, type Brand, type EndpointExample } from '@shardnode/http';
import { type Endpoint } from '../endpoint/endpoint.js';

/**
 * What everybody may know of the development network (00-decisions, 22 and 27): its words, the funded accounts by group, and
 * transactions that these signed. What one example makes the next ones use, so they stand in one table and not at their
 * endpoints; in its order they work on a fresh network.
 */
const words =
  'vault alarm sad mass witness property virus style good flower rice alpha viable evidence run glare pretty scout ' +
  'evil judge enroll refuse another lava';
const password = 'correct horse battery staple';
const wallet = { wallet_name: 'exchange-hot-1' };
const minerWallet = { wallet_name: 'exchange-miner-1' };

const addresses = [
  '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH',
  '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF',
  '15jjExDyS8q3Wqk9v29PCQ21jDqubDrD8WQdgn6VW2oi4',
  '17cBiTcWhung3WDLuc9ja5Y7BMus5Q7CD9wYBxS1r1P2R',
] as const;
const publicKeys = [
  '0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0',
  '0350050343db45152af7eb4dd56e7956bea08ee5783ed2a016ee22b1318a9c6b25',
  '028bff16a5102770af5ef0171887cdc0f7dd8b8923f6533806fa3bff637ebcfbfb',
  '0202a1f5a6f1758caaf989f3914a1658d308f26588e1b42f3d78a475565f59d03a',
] as const;
const minerAddresses = [
  '1FsroWmeJPBhcPiUr37pWXdojRBe6jdey9uukEXk1TheA',
  '1CQvSXsmM5BMFKguKDPpNUfw1idiut8UifLtT8748JdHc',
  '193maApeJWrz9GFwWCfa982ccLARVE9Y1WgKSJaUs7UAx',
  '16fZKYPCZJv2TP3FArA9FLUQceTS9U8xVnSjxFG9MBKyY',
];
/** 2 of the keys of the groups 0 to 2. */
const multisig =
  'X48a5EME3x3VQYavYHsE2WWWBLTyW71CCrpoKJsTx7M2NNN9TAbviDnc1dXwXHZX7iXk6SPdqCH997P3eQfSBvcp3DYJvvqG3dek23Zxnh7WfZXjtMAQkuCbr8NGFC3a8GzJ65';
const contract = 'uqa8vVAySDGA5nbt6c5WXYXXuBWPghtDx6C8aE3VFXDZ';

const genesis = {
  hash: '3141e20a6353672bedf64c3da3a0c238f2d771a665d019ec86c1a80c50d51590',
  timestamp: 1_231_006_505_000,
};
/** One second that begins with the genesis blocks. */
const interval = { fromTs: genesis.timestamp, toTs: genesis.timestamp + 1_000 };
const firstChain = { fromGroup: 0, toGroup: 0 };

/** The account of group 1 pays 100 coins to the multisig address. */
const payment = {
  txId: '58ec4ef97c37e12ca1cde8cbedc5ad6bb76651d3c7868a6e146faae1c8ef727b',
  unsignedTx:
    '00040080004e20c1174876e800017142f18b91079afe4f5d56d09fab2fa60a9369dcf145eb982aece94bf81d00c537e03231000350050343db45152af7eb4dd56e7956bea08ee5783ed2a016ee22b1318a9c6b2502c5056bc75e2d631000000103bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a3388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c4660e73a4b2dcf9840361b8dbb5eba363ffdd7358e636c9370c71756e48db2fd0200000000000000000000c6d3bcb00053c2f4630000003388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c00000000000000000000',
  signature:
    'd32b0b35a82be8973970d8472263c87c607a61b447db94b84dd72fcec16c3127081b88347149a5dd6243739220cf7a7b39e210ae95e731ab638666f84bdd0112',
};
const paymentChain = { fromGroup: 1, toGroup: 0 };
/** The multisig address pays one of them to the account of group 3. */
const multisigPayment = {
  unsignedTx:
    '00040080004e20c1174876e8000137a444471ebee65c649839cd7c8ee6cb945b75dada78cc90c7c4063515632548fd07b67e01020381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b000028bff16a5102770af5ef0171887cdc0f7dd8b8923f6533806fa3bff637ebcfbfb0202c40de0b6b3a764000000622990ad7be0a3d163562c10fd7985ef40a3e41857e7a1583406a785efc9273a00000000000000000000c5055ddf8c7c721f00000103bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a3388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c4660e73a4b2dcf9840361b8dbb5eba363ffdd7358e636c9370c71756e48db2fd0200000000000000000000',
  signatures: [
    'ffbc54420b8f46726cc4a33718f283732d0ea6f4c08c11240a4483660bf9653b649ac6a3766d1deb4e73ce99862c7ffbd0e8a5895eabd88438e53017ebad42bb',
    '95098c3fa0d829d707b7178a9280cb846894cee3e87f950f9e3b865d6b92cff61a8502c1469cb3c1b24aac8e26d34e1a85b5a93262d865126c28ce2098a87f7d',
  ],
};

const walletExamples = ({ coinSymbol }: Brand): Readonly<Record<string, EndpointExample>> => ({
  'POST /wallets': {
    body: { password, walletName: minerWallet.wallet_name, isMiner: true, mnemonicSize: 24 },
  },
  'PUT /wallets': { body: { password, mnemonic: words, walletName: wallet.wallet_name } },
  'GET /wallets/{wallet_name}': { params: wallet },
  'DELETE /wallets/{wallet_name}': { params: minerWallet, body: { password } },
  'POST /wallets/{wallet_name}/lock': { params: wallet },
  'POST /wallets/{wallet_name}/unlock': { params: wallet, body: { password } },
  'GET /wallets/{wallet_name}/addresses/{address}': { params: { ...wallet, address: addresses[0] } },
  'POST /wallets/{wallet_name}/transfer': {
    params: wallet,
    body: { destinations: [{ address: addresses[2], amount: `1.5 ${coinSymbol}` }] },
  },
  'POST /wallets/{wallet_name}/sweep-active-address': { params: wallet, body: { toAddress: addresses[0] } },
  'POST /wallets/{wallet_name}/sweep-all-addresses': { params: wallet, body: { toAddress: addresses[0] } },
  'POST /wallets/{wallet_name}/sign': { params: wallet, body: { data: payment.txId } },
  'POST /wallets/{wallet_name}/change-active-address': { params: wallet, body: { address: addresses[0] } },
  'POST /wallets/{wallet_name}/derive-next-address': { params: wallet, query: { group: 2 } },
  'GET /wallets/{wallet_name}/miner-addresses': { params: minerWallet },
  'POST /wallets/{wallet_name}/derive-next-miner-addresses': { params: minerWallet },
  'POST /wallets/{wallet_name}/reveal-mnemonic': { params: wallet, body: { password } },
});

const chainExamples: Readonly<Record<string, EndpointExample>> = {
  'POST /infos/misbehaviors': { body: { type: 'Ban', peers: ['192.0.2.1'] } },
  'POST /infos/discovery': { body: { type: 'Reachable', peers: ['192.0.2.1'] } },
  'GET /infos/history-hashrate': { query: interval },
  'GET /addresses/{address}/utxos': { params: { address: addresses[0] }, query: { offset: 0, limit: 100 } },
  'GET /blockflow/blocks': { query: interval },
  'GET /blockflow/blocks-with-events': { query: interval },
  'GET /blockflow/blocks/{block_hash}': { params: { block_hash: genesis.hash } },
  'GET /blockflow/blocks-with-events/{block_hash}': { params: { block_hash: genesis.hash } },
  'GET /blockflow/headers/{block_hash}': { params: { block_hash: genesis.hash } },
  'GET /blockflow/main-chain-block-by-ghost-uncle/{ghost_uncle_hash}': { params: { ghost_uncle_hash: genesis.hash } },
  'GET /blockflow/is-block-in-main-chain': { query: { blockHash: genesis.hash } },
  'GET /blockflow/hashes': { query: { ...firstChain, height: 0 } },
  'GET /blockflow/chain-info': { query: firstChain },
  'GET /contracts/{address}/state': { params: { address: contract } },
  'GET /events/contract/{contractAddress}': {
    params: { contractAddress: contract },
    query: { start: 0, limit: 100, group: 0 },
  },
  'GET /events/contract/{contractAddress}/current-count': { params: { contractAddress: contract } },
  'GET /events/tx-id/{txId}': { params: { txId: payment.txId }, query: { group: 0 } },
  'GET /events/block-hash/{blockHash}': { params: { blockHash: genesis.hash }, query: { group: 0 } },
  'PUT /mempool/transactions/rebroadcast': { query: { txId: payment.txId } },
  'POST /miners/cpu-mining': { query: { action: 'stop-mining' } },
  'POST /miners/cpu-mining/mine-one-block': { query: firstChain },
  'PUT /miners/addresses': { body: { addresses: minerAddresses } },
  'POST /utils/verify-signature': {
    body: { data: payment.txId, signature: payment.signature, publicKey: publicKeys[1] },
  },
  'POST /utils/target-to-hashrate': { body: { target: '1b032b55' } },
};

const transactionExamples = (brand: Brand): Readonly<Record<string, EndpointExample>> => {
  const oneCoin = `1 ${brand.coinSymbol}`;
  const destinations = [{ address: addresses[0], [attoAmountField(brand)]: oneCoin }];
  const fromMultisig = { fromAddress: multisig, fromPublicKeys: [publicKeys[0], publicKeys[2]] };
  return {
    'POST /transactions/build': { body: { fromPublicKey: publicKeys[3], destinations } },
    'POST /transactions/build-multi-addresses': {
      body: { from: [{ fromPublicKey: publicKeys[3], destinations }] },
    },
    'POST /transactions/sweep-address/build': {
      body: {
        fromPublicKey: publicKeys[3],
        toAddress: addresses[0],
        [maxAttoAmountField(brand)]: `1000000000 ${brand.coinSymbol}`,
      },
    },
    'POST /transactions/submit': { body: { unsignedTx: payment.unsignedTx, signature: payment.signature } },
    'GET /transactions/status': { query: { txId: payment.txId, ...paymentChain } },
    'GET /transactions/details/{txId}': { params: { txId: payment.txId }, query: paymentChain },
    'POST /transactions/decode-unsigned-tx': { body: { unsignedTx: payment.unsignedTx } },
    'POST /multisig/address': { body: { keys: publicKeys.slice(0, 3), mrequired: 2 } },
    'POST /multisig/build': {
      body: { ...fromMultisig, destinations: [{ address: addresses[3], amount: oneCoin }] },
    },
    'POST /multisig/sweep': { body: { ...fromMultisig, toAddress: addresses[0] } },
    'POST /multisig/submit': { body: multisigPayment },
  };
};

/** A contract with one method, which returns 1, and a script that asserts what is true. */
const bytecodes = { contract: '0001080100000001020d02', script: '0101030000000303117b' };
const call = { group: 0, address: contract, methodIndex: 0 };

const contractExamples: Readonly<Record<string, EndpointExample>> = {
  'POST /contracts/unsigned-tx/deploy-contract': {
    body: { fromPublicKey: publicKeys[0], bytecode: `${bytecodes.contract}0000` },
  },
  'POST /contracts/unsigned-tx/execute-script': {
    body: { fromPublicKey: publicKeys[0], bytecode: bytecodes.script },
  },
  'POST /contracts/test-contract': { body: { bytecode: bytecodes.contract, methodIndex: 0 } },
  'POST /contracts/call-contract': { body: call },
  'POST /contracts/multicall-contract': { body: { calls: [call] } },
};

/** The endpoints with requests that work on the development network, for people who try them. */
export const withDevelopmentExamples = (endpoints: readonly Endpoint[], brand: Brand): Endpoint[] => {
  const examples = { ...walletExamples(brand), ...chainExamples, ...transactionExamples(brand), ...contractExamples };
  return endpoints.map((endpoint) => {
    const example = endpoint.example ?? examples[`${endpoint.method} ${endpoint.path}`];
    return example === undefined ? endpoint : { ...endpoint, example };
  });
};

import { developmentValues } from '@shardnode/http';
import { sourceExamples } from '../contracts/compiling/source-examples.js';

/** Values by the name of their parameter; undefined: no value works. */
type ExampleValues = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * A request that works on the development network. The page of the description fills in the required parameters and the
 * body; "try it out" sends exactly that.
 */
export interface OperationExample {
  readonly params?: ExampleValues;
  /** Required parameters only: an optional one would change the query. */
  readonly query?: ExampleValues;
  readonly body?: unknown;
}

/**
 * Requests that work on the development network, whose words and accounts are public (00-decisions, 22 and 27). Some
 * examples use the results of others, so they are in one table and not at their endpoints.
 */
const { accounts, multisigAddress, payment, contract, deployment, script, creationEvents } = developmentValues;
const addresses = accounts.map(({ address }) => address);
const publicKeys = accounts.map(({ publicKey }) => publicKey);

/** For readers of the page, because the examples depend on it. */
export const aboutExamples =
  'The examples work on the development network (`npm start`). Some depend on results of earlier ones: `PUT /wallets` ' +
  'restores the wallet of the examples, `POST /wallets` creates its miner wallet, `POST /transactions/submit` pays to the ' +
  'multisig address, and then `POST /multisig/submit` creates the contract.';

const words =
  'vault alarm sad mass witness property virus style good flower rice alpha viable evidence run glare pretty scout ' +
  'evil judge enroll refuse another lava';
const password = 'correct horse battery staple';
const wallet = { wallet_name: 'exchange-hot-1' };
const minerWallet = { wallet_name: 'exchange-miner-1' };
const minerAddresses = [
  '1FsroWmeJPBhcPiUr37pWXdojRBe6jdey9uukEXk1TheA',
  '1CQvSXsmM5BMFKguKDPpNUfw1idiut8UifLtT8748JdHc',
  '193maApeJWrz9GFwWCfa982ccLARVE9Y1WgKSJaUs7UAx',
  '16fZKYPCZJv2TP3FArA9FLUQceTS9U8xVnSjxFG9MBKyY',
];
const firstChain = { fromGroup: 0, toGroup: 0 };

const walletExamples: Readonly<Record<string, OperationExample>> = {
  'POST /wallets': { body: { password, walletName: minerWallet.wallet_name, isMiner: true } },
  'PUT /wallets': { body: { password, mnemonic: words, walletName: wallet.wallet_name } },
  'GET /wallets/{wallet_name}': { params: wallet },
  'DELETE /wallets/{wallet_name}': { params: minerWallet, body: { password } },
  'POST /wallets/{wallet_name}/lock': { params: wallet },
  'POST /wallets/{wallet_name}/unlock': { params: wallet, body: { password } },
  'GET /wallets/{wallet_name}/addresses/{address}': { params: { ...wallet, address: addresses[0] } },
  'POST /wallets/{wallet_name}/transfer': {
    params: wallet,
    body: { destinations: [{ address: addresses[2], amount: '1.5 {COIN}' }] },
  },
  'POST /wallets/{wallet_name}/sweep-active-address': { params: wallet, body: { toAddress: addresses[0] } },
  'POST /wallets/{wallet_name}/sweep-all-addresses': { params: wallet, body: { toAddress: addresses[0] } },
  'POST /wallets/{wallet_name}/sign': { params: wallet, body: { data: payment.txId } },
  'POST /wallets/{wallet_name}/change-active-address': { params: wallet, body: { address: addresses[0] } },
  'GET /wallets/{wallet_name}/miner-addresses': { params: minerWallet },
  'POST /wallets/{wallet_name}/derive-next-miner-addresses': { params: minerWallet },
  'POST /wallets/{wallet_name}/reveal-mnemonic': { params: wallet, body: { password } },
};

/** `fromTs`: milliseconds since 1970, recent, because intervals end now and are short. */
const chainExamples = (fromTs: number): Readonly<Record<string, OperationExample>> => ({
  'POST /infos/misbehaviors': { body: { type: 'Ban', peers: ['192.0.2.1'] } },
  'POST /infos/discovery': { body: { type: 'Reachable', peers: ['192.0.2.1'] } },
  'GET /infos/history-hashrate': { query: { fromTs } },
  'GET /blockflow/blocks': { query: { fromTs } },
  'GET /blockflow/blocks-with-events': { query: { fromTs } },
  // No block has an uncle.
  'GET /blockflow/main-chain-block-by-ghost-uncle/{ghost_uncle_hash}': { params: { ghost_uncle_hash: undefined } },
  'GET /blockflow/hashes': { query: { ...firstChain, height: 0 } },
  'GET /blockflow/chain-info': { query: firstChain },
  'GET /contracts/{address}/state': { params: { address: contract.address } },
  'GET /events/contract/{contractAddress}': { params: { contractAddress: creationEvents } },
  'GET /events/contract/{contractAddress}/current-count': { params: { contractAddress: creationEvents } },
  'GET /events/tx-id/{txId}': { params: { txId: deployment.txId } },
  // Transactions are mined at once: none is pending.
  'PUT /mempool/transactions/rebroadcast': { query: { txId: undefined } },
  'POST /miners/cpu-mining': { query: { action: 'stop-mining' } },
  'POST /miners/cpu-mining/mine-one-block': { query: firstChain },
  'PUT /miners/addresses': { body: { addresses: minerAddresses } },
  'POST /utils/verify-signature': {
    body: { data: payment.txId, signature: payment.signature, publicKey: publicKeys[1] },
  },
  'POST /utils/target-to-hashrate': { body: { target: '1b032b55' } },
});

const destinations = [{ address: addresses[0], attoCoinAmount: '1000000000000000000' }];
const fromMultisig = { fromAddress: multisigAddress, fromPublicKeys: [publicKeys[0], publicKeys[2]] };
const transactionExamples: Readonly<Record<string, OperationExample>> = {
  'POST /transactions/build': { body: { fromPublicKey: publicKeys[3], destinations } },
  'POST /transactions/build-multi-addresses': {
    body: { from: [{ fromPublicKey: publicKeys[3], destinations }] },
  },
  'POST /transactions/sweep-address/build': { body: { fromPublicKey: publicKeys[3], toAddress: addresses[0] } },
  'POST /transactions/submit': { body: { unsignedTx: payment.unsignedTx, signature: payment.signature } },
  'POST /transactions/decode-unsigned-tx': { body: { unsignedTx: payment.unsignedTx } },
  'POST /multisig/address': { body: { keys: publicKeys.slice(0, 3), mrequired: 2 } },
  'POST /multisig/build': {
    body: { ...fromMultisig, destinations: [{ address: addresses[3], amount: '1 {COIN}' }] },
  },
  'POST /multisig/sweep': { body: { ...fromMultisig, toAddress: addresses[0] } },
  'POST /multisig/submit': { body: { unsignedTx: deployment.unsignedTx, signatures: deployment.signatures } },
};

const call = { group: 0, address: contract.address, methodIndex: 0 };

const contractExamples: Readonly<Record<string, OperationExample>> = {
  'POST /contracts/unsigned-tx/deploy-contract': {
    body: { fromPublicKey: publicKeys[0], bytecode: `${contract.code}0000` },
  },
  'POST /contracts/unsigned-tx/execute-script': { body: { fromPublicKey: publicKeys[0], bytecode: script } },
  'POST /contracts/compile-script': { body: { code: sourceExamples.script } },
  'POST /contracts/compile-contract': { body: { code: sourceExamples.contract } },
  'POST /contracts/compile-project': { body: { code: sourceExamples.project } },
  'POST /contracts/test-contract': { body: { bytecode: contract.code } },
  'POST /contracts/call-contract': { body: call },
  'POST /contracts/multicall-contract': { body: { calls: [call] } },
};

/**
 * Milliseconds from the start of an example's interval to now: the page may stay open for the rest of the longest
 * interval.
 */
const intervalBegan = 300_000;

/** Examples by method and path. `now`: milliseconds since 1970, at most some minutes ago. */
export const developmentExamples = (now: number): Readonly<Record<string, OperationExample>> => ({
  ...walletExamples,
  ...chainExamples(now - intervalBegan),
  ...transactionExamples,
  ...contractExamples,
});

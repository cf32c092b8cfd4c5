/** A network with something to read, and with outputs and wallets for hostile clients. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf } from '@shardnode/protocol/address';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Transaction, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { readNetwork } from '@shardnode/messages/network';
import { type SpendableOutput } from '@shardnode/testing/builders';
import {
  developmentKeys,
  developmentMnemonic,
  testKeyOfGroup,
  testKeysOfGroup,
  type TestKey,
} from '@shardnode/testing/keys';
import { type ApiDocument } from '../../e2e/kit/fuzz/described-api.js';
import { sampleBytecode, u256 } from '@shardnode/testing/sample-contracts';
import { call } from '../http-client.js';
import { type NetworkProcess, startNetwork } from '../network-process.js';
import { coin, confirmed, pay } from '../senders.js';
import { temporaryFolder } from '../temporary-folder.js';
import { genesisOutputs } from '../transfer-chain.js';
import { post } from './requests.js';
import { type HostileRequest } from './flooding-client.js';
import { lockedAddresses } from './locked-addresses.js';

export const password = 'correct horse battery staple';
export const walletName = 'exchange-hot-1';
export const minerWallet = 'exchange-miner-1';

const senderCount = 200;
/** Hostile senders in group 0, each with one output of the genesis block, in order. */
export const senders = testKeysOfGroup(0, senderCount);
/** Keys of the other client, number g in group g: none of the floods spends their coins. */
export const bystanders = [
  ...testKeysOfGroup(0, senderCount + 1).slice(-1),
  ...[1, 2, 3].map((group) => testKeyOfGroup(group)),
];
/** Owns very many outputs. */
export const crowded = testKeysOfGroup(1, 2)[1]!;
const crowdedOutputs = 20_000;

export interface FloodedNetwork extends NetworkProcess {
  readonly document: ApiDocument;
  readonly settings: NetworkSettings;
  readonly funded: readonly TestKey[];
  /** Output of each sender; none of the floods spends it for good but those that say so. */
  readonly outputs: readonly SpendableOutput[];
  /** Output of each of `lockedAddresses`. */
  readonly lockedOutputs: readonly SpendableOutput[];
  readonly txId: string;
  readonly blockHash: string;
  readonly contractAddress: string;
  /** Of the push of blocks, and of health and metrics of a group-node. */
  readonly otherUrls: Readonly<Record<'push' | 'group-node', string>>;
  remove(): Promise<void>;
}

const settingsWithSenders = (file: string, funded: readonly TestKey[]): NetworkSettings => {
  const allocationOf = (address: string, coins: number) => ({ address, attoCoinAmount: coin(coins) });
  const allocations = [
    ...senders.map(({ address }) => allocationOf(address, 1_000)),
    ...[...funded, ...bystanders].map(({ address }) => allocationOf(address, 1_000_000)),
    ...lockedAddresses.map((address) => allocationOf(address, 1_000)),
    ...Array.from({ length: crowdedOutputs }, () => allocationOf(crowded.address, 1)),
  ];
  writeFileSync(file, JSON.stringify({ networkId: 4, allocations }));
  return readNetwork({ GENESIS_FILE: file, COIN_SYMBOL: undefined });
};

/** The first output of each address in the genesis block. */
const outputsOf = (settings: NetworkSettings, addresses: readonly string[]): SpendableOutput[] => {
  const outputs = genesisOutputs(settings);
  return addresses.map((address) => outputs.find(({ output }) => addressOf(output.lockupScript) === address)!);
};

interface Deployed {
  readonly unsignedTx: string;
  readonly txId: string;
  readonly contractAddress: string;
}

const deploy = async (baseUrl: string, from: TestKey): Promise<string> => {
  const built = await call<Deployed>(baseUrl, 'POST', '/contracts/unsigned-tx/deploy-contract', {
    fromPublicKey: bytesToHex(from.publicKey),
    bytecode: sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)]),
  });
  const signature = bytesToHex(sign(hexToBytes(built.txId), from.privateKey));
  await call(baseUrl, 'POST', '/transactions/submit', { unsignedTx: built.unsignedTx, signature });
  await confirmed(baseUrl, built.txId);
  return built.contractAddress;
};

/** Blocks with many outputs each, for reads of blocks. */
const fill = async (baseUrl: string, funded: readonly TestKey[]): Promise<string> => {
  const { address } = testKeyOfGroup(3);
  const payments = Array.from({ length: 50 }, () => ({ address, attoCoinAmount: coin(1) }));
  let txId = '';
  for (let round = 0; round < 10; round++) {
    for (const from of funded) {
      txId = await pay(baseUrl, from, payments);
      await confirmed(baseUrl, txId);
    }
  }
  return txId;
};

export const startFloodedNetwork = async (settings: Readonly<Record<string, string>>): Promise<FloodedNetwork> => {
  const folder = temporaryFolder();
  const funded = await developmentKeys();
  const file = join(folder.path, 'genesis.json');
  const networkOptions = settingsWithSenders(file, funded);
  const network = await startNetwork(join(folder.path, 'data'), { ...settings, GENESIS_FILE: file });
  const { baseUrl } = network;
  const remove = async (): Promise<void> => {
    await network.stop();
    folder.remove();
  };
  try {
    const document = await call<ApiDocument>(baseUrl, 'GET', '/docs/openapi.json');
    const mnemonic = developmentMnemonic.join(' ');
    await call(baseUrl, 'PUT', '/wallets', { password, mnemonic, walletName });
    await call(baseUrl, 'POST', '/wallets', { password, walletName: minerWallet, isMiner: true });
    const contractAddress = await deploy(baseUrl, funded[0]!);
    const txId = await fill(baseUrl, funded);
    const { blockHash } = await call<{ blockHash: string }>(baseUrl, 'GET', `/transactions/status?txId=${txId}`);
    const outputs = outputsOf(
      networkOptions,
      senders.map(({ address }) => address),
    );
    const lockedOutputs = outputsOf(networkOptions, lockedAddresses);
    const otherUrls = {
      push: network.announcement.wsUrl.replace('ws:', 'http:'),
      'group-node': network.announcement.services.find(({ name }) => name === 'group-node-0')!.url,
    };
    return {
      ...network,
      otherUrls,
      document,
      settings: networkOptions,
      funded,
      outputs,
      lockedOutputs,
      txId,
      blockHash,
      contractAddress,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
};

/** The submit of a signed transaction; `signature` replaces the right one. */
export const submitOf = ({ unsigned, inputSignatures }: Transaction, signature?: string): HostileRequest =>
  post('/transactions/submit', {
    unsignedTx: bytesToHex(encode(unsignedTransactionCodec, unsigned)),
    signature: signature ?? bytesToHex(inputSignatures[0]!),
  });

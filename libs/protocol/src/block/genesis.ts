import { blake2bTwice } from '../crypto/index.js';
import { bigintToBytes } from '../encoding/index.js';
import { type NetworkSettings, maxTarget } from '../network/index.js';
import {
  type ChainIndex,
  blockVersion,
  chainFromFlatIndex,
  groupOfLockupScript,
  isIntraGroup,
  minGasPrice,
  minimalGas,
  nonceLength,
  sameChain,
  txVersion,
  zeroHash,
} from '../primitives/index.js';
import { type AssetOutput, type Transaction } from '../transaction/index.js';
import { transactionsRoot } from './identity.js';
import { type Block, type BlockHeader, type SealedHeader } from './model.js';
import { sealBlock, sealHeader } from './seal.js';
import { genesisTimestamp, launchTimestamp } from './time.js';

const noBytes = new Uint8Array(0);

/** blake2b twice over the proof texts as ASCII, joined (protocol 01 §12.2). */
const preMineProof = (settings: NetworkSettings): Uint8Array =>
  blake2bTwice(new TextEncoder().encode(settings.preMineProof.join('')));

/** The transaction with the allocations of one group, in the order of the settings (protocol 01 §12.2). */
const genesisTransaction = (settings: NetworkSettings, group: number): Transaction => {
  const allocations = settings.allocations.filter(
    ({ lockupScript }) => groupOfLockupScript(lockupScript, settings.groups) === group,
  );
  const fixedOutputs = allocations.map((allocation, i): AssetOutput => ({
    kind: 'asset',
    amount: allocation.amount,
    lockupScript: allocation.lockupScript,
    lockTime: launchTimestamp + allocation.lockDuration,
    tokens: [],
    additionalData: i === 0 ? preMineProof(settings) : noBytes,
  }));
  return {
    unsigned: {
      version: txVersion,
      networkId: settings.networkId,
      script: undefined,
      gasAmount: minimalGas,
      gasPrice: minGasPrice,
      inputs: [],
      fixedOutputs,
    },
    scriptExecutionOk: true,
    contractInputs: [],
    generatedOutputs: [],
    inputSignatures: [],
    scriptSignatures: [],
  };
};

/** The smallest nonce whose hash lies on the chain; work is not required of genesis (protocol 01 §15). */
const findNonce = (header: BlockHeader, chain: ChainIndex, groups: number): SealedHeader => {
  for (let counter = 0n; ; counter++) {
    const sealed = sealHeader({ ...header, nonce: bigintToBytes(counter, nonceLength) }, groups);
    if (sameChain(sealed.chainIndex, chain)) return sealed;
  }
};

/** The first block of a chain, computed from the settings (protocol 01 §15, 03 §3). */
export const genesisBlock = (settings: NetworkSettings, chain: ChainIndex): Block => {
  const { groups } = settings;
  const transactions = isIntraGroup(chain) ? [genesisTransaction(settings, chain.from)] : [];
  const header: BlockHeader = {
    nonce: new Uint8Array(nonceLength),
    version: blockVersion,
    blockDeps: Array.from({ length: 2 * groups - 1 }, () => zeroHash),
    depStateHash: zeroHash,
    txsHash: transactionsRoot(transactions),
    timestamp: genesisTimestamp,
    target: maxTarget(settings),
  };
  return sealBlock(findNonce(header, chain, groups), transactions, groups);
};

/** The genesis blocks of all chains, by flat index (protocol 03 §3). */
export const genesisBlocks = (settings: NetworkSettings): Block[] =>
  Array.from({ length: settings.groups ** 2 }, (_, flat) =>
    genesisBlock(settings, chainFromFlatIndex(flat, settings.groups)),
  );

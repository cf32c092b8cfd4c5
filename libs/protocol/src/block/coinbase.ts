import { ByteReader, ByteWriter, DecodeError, timestamp as timestampCodec } from '../encoding/index.js';
import { type NetworkSettings } from '../network/index.js';
import {
  type AssetLockupScript,
  type ChainIndex,
  coinbaseGasPrice,
  minimalGas,
  txVersion,
} from '../primitives/index.js';
import { type Transaction } from '../transaction/index.js';
import { blockReward } from './emission.js';

const noBytes = new Uint8Array(0);

/** The parts of the additional data of a coinbase output (protocol 02 §12.4). */
export interface CoinbaseData {
  readonly chain: ChainIndex;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  /** Free; at most 246 bytes in a valid block. */
  readonly minerData: Uint8Array;
}

/** from, to, timestamp in 8 bytes, then the miner's data without length (protocol 01 §12.1). */
export const coinbaseData = (chain: ChainIndex, timestamp: bigint, minerData: Uint8Array = noBytes): Uint8Array => {
  const writer = new ByteWriter(10 + minerData.length);
  writer.byte(chain.from);
  writer.byte(chain.to);
  timestampCodec.write(writer, timestamp);
  writer.bytes(minerData);
  return writer.finish();
};

/** Undefined for fewer than 10 bytes or a negative timestamp: InvalidCoinbaseData (protocol 01 §12.1). */
export const parseCoinbaseData = (bytes: Uint8Array): CoinbaseData | undefined => {
  const reader = new ByteReader(bytes);
  try {
    const chain = { from: reader.byte(), to: reader.byte() };
    const timestamp = timestampCodec.read(reader);
    return { chain, timestamp, minerData: reader.take(reader.remaining) };
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
};

/**
 * The coinbase of a block of `chain` (protocol 02 §12.4). `lockupScript` belongs to group `chain.to`; the reward follows
 * from target and timestamp.
 */
export const buildCoinbase = (
  settings: NetworkSettings,
  chain: ChainIndex,
  timestamp: bigint,
  target: number,
  lockupScript: AssetLockupScript,
  minerData?: Uint8Array,
): Transaction => ({
  unsigned: {
    version: txVersion,
    networkId: settings.networkId,
    script: undefined,
    gasAmount: minimalGas,
    gasPrice: coinbaseGasPrice,
    inputs: [],
    fixedOutputs: [
      {
        kind: 'asset',
        amount: blockReward(settings, target, timestamp),
        lockupScript,
        lockTime: timestamp + settings.coinbaseLockPeriod,
        tokens: [],
        additionalData: coinbaseData(chain, timestamp, minerData),
      },
    ],
  },
  scriptExecutionOk: true,
  contractInputs: [],
  generatedOutputs: [],
  inputSignatures: [],
  scriptSignatures: [],
});

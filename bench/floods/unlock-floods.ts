/** Floods of transactions whose outputs are locked so that looking at their keys costs much. */
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { maximalGasPerTx, minGasPrice } from '@shardnode/protocol/primitives';
import {
  transactionId,
  type UnlockScript,
  type UnsignedTransaction,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type SpendableOutput } from '@shardnode/testing/builders';
import { type Flood } from './flood.js';
import { post } from './requests.js';
import { type FloodedNetwork } from './flooded-network.js';
import { type HostileRequest } from './flooding-client.js';
import { signers, unlockScript } from './locked-addresses.js';

/** Spends the output with all gas but `less`. */
const spending = (
  { networkId }: NetworkSettings,
  { reference, output }: SpendableOutput,
  unlockScript: UnlockScript,
  less: number,
): UnsignedTransaction => {
  const gasAmount = maximalGasPerTx - less;
  const amount = output.amount - BigInt(gasAmount) * minGasPrice;
  return {
    version: 0,
    networkId,
    script: undefined,
    gasAmount,
    gasPrice: minGasPrice,
    inputs: [{ outputReference: reference, unlockScript }],
    fixedOutputs: [{ ...output, amount }],
  };
};

const submitAll = (unsigned: UnsignedTransaction, signatures: readonly string[]): HostileRequest =>
  post('/multisig/submit', { unsignedTx: bytesToHex(encode(unsignedTransactionCodec, unsigned)), signatures });

export const unlockFloods = ({ settings, lockedOutputs: [ofScript, ofKeys] }: FloodedNetwork): readonly Flood[] => [
  {
    name: 'unlock scripts that use all gas',
    requests: () =>
      Array.from({ length: 200 }, (_, i) => {
        const unlock: UnlockScript = { kind: 'p2sh', script: unlockScript, parameters: [] };
        return submitAll(spending(settings, ofScript!, unlock, i), []);
      }),
  },
  {
    name: '64 signatures of which the last is wrong',
    requests: () =>
      Array.from({ length: 30 }, (_, i) => {
        const keys = signers.map(({ publicKey }, index) => ({ publicKey, index }));
        const unsigned = spending(settings, ofKeys!, { kind: 'p2mpkh', keys }, i);
        const id = hexToBytes(transactionId(unsigned));
        const signatures = signers.map(({ privateKey }) => bytesToHex(sign(id, privateKey)));
        return submitAll(unsigned, [...signatures.slice(0, -1), '01'.repeat(64)]);
      }),
  },
];

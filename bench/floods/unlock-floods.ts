/** Floods of transactions whose outputs are locked so that looking at their keys costs much. */
import { addressOf, multisigOf } from '@shardnode/protocol/address';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import {
  type AssetLockupScript,
  groupOfLockupScript,
  maximalGasPerTx,
  minGasPrice,
} from '@shardnode/protocol/primitives';
import { type StatelessScript, statelessScriptHash, u256Constant } from '@shardnode/protocol/script';
import {
  transactionId,
  type UnlockScript,
  type UnsignedTransaction,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { instruction as op, methodOf, type SpendableOutput } from '@shardnode/testing/builders';
import { testKey } from '@shardnode/testing/keys';
import { type Flood, post } from './flood.js';
import { type FloodedNetwork } from './flooded-network.js';
import { type HostileRequest } from './flooding-client.js';

/** Each number another script: a loop that ends when the gas does. */
const endlessUnlock = (number: number): StatelessScript => ({
  methods: [
    methodOf([
      u256Constant(BigInt(number)),
      op('Pop'),
      u256Constant(1n),
      u256Constant(2n ** 256n - 1n),
      op('U256Exp'),
      op('Pop'),
      op('Jump', -5),
    ]),
  ],
});
const lockOf = (script: StatelessScript): AssetLockupScript => ({
  kind: 'p2sh',
  scriptHash: statelessScriptHash(script),
});
const firstInGroup0 = <T>(make: (number: number) => T, lockup: (made: T) => AssetLockupScript): T => {
  for (let number = 0; ; number++) {
    const made = make(number);
    if (groupOfLockupScript(lockup(made), 4) === 0) return made;
  }
};

const unlockScript = firstInGroup0(endlessUnlock, lockOf);
/** All of them sign. */
const signerCount = 64;
const signers = firstInGroup0(
  (number) => Array.from({ length: signerCount }, (_, i) => testKey(10_000 + number + i)),
  (keys) =>
    multisigOf(
      keys.map(({ publicKey }) => publicKey),
      signerCount,
    ),
);

const keysLock = multisigOf(
  signers.map(({ publicKey }) => publicKey),
  signerCount,
);
/** Of the script and of the signers: the genesis block gives each of them coins. */
export const lockedAddresses = [lockOf(unlockScript), keysLock].map((lock) => addressOf(lock));

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

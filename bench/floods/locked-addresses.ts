import { addressOf, multisigOf } from '@shardnode/protocol/address';
import { type AssetLockupScript, groupOfLockupScript } from '@shardnode/protocol/primitives';
import { type StatelessScript, statelessScriptHash, u256Constant } from '@shardnode/protocol/script';
import { instruction as op, methodOf } from '@shardnode/testing/builders';
import { testKey } from '@shardnode/testing/keys';

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

export const unlockScript = firstInGroup0(endlessUnlock, lockOf);
/** All of them sign. */
const signerCount = 64;
export const signers = firstInGroup0(
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

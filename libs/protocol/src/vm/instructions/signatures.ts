import {
  recoverEthAddress,
  type SignatureVerifier,
  verifyEd25519,
  verifySchnorr,
  verifySignature,
} from '../../crypto/index.js';
import { hexToBytes } from '../../encoding/index.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { type Machine } from '../machine.js';

const signatureLength = 64;
const compressedKeyLength = 33;

/** Gas estimations skip signature checks of the script itself, not those of called contracts. */
const isMocked = (machine: Machine): boolean => machine.mocksSignatures && machine.frame.code.kind === 'script';

/** A check of operands: data, public key, signature; the last is on top. */
const verifying =
  (publicKeyLength: number, verify: SignatureVerifier): Execute =>
  (machine) => {
    const mocked = isMocked(machine);
    const signature = machine.popBytes();
    if (!mocked && signature.length !== signatureLength) fail('InvalidSignatureFormat', signature);
    const publicKey = machine.popBytes();
    if (!mocked && publicKey.length !== publicKeyLength) fail('InvalidPublicKey', publicKey);
    const data = machine.popBytes();
    if (mocked) return;
    if (data.length !== 32) fail('SignedDataIsNot32Bytes', data.length);
    if (!verify(data, signature, publicKey)) fail('InvalidSignature', publicKey, data, signature);
  };

const verifyTransactionSignature: Execute = (machine) => {
  const publicKey = machine.popBytes();
  if (isMocked(machine)) {
    machine.takeSignature();
    return;
  }
  if (publicKey.length !== compressedKeyLength) fail('InvalidPublicKey', publicKey);
  const signature = machine.takeSignature();
  const id = hexToBytes(machine.transaction.id);
  if (!verifySignature(id, signature, publicKey)) fail('InvalidSignature', publicKey, id, signature);
};

const recoverAddress: Execute = (machine) => {
  const signature = machine.popBytes();
  const hash = machine.popBytes();
  machine.pushBytes(recoverEthAddress(hash, signature) ?? fail('FailedInRecoverEthAddress'));
};

/** Signatures of the transaction and of operands (protocol 05 §6.5, §15); their gas is charged by the table. */
export const signatureInstructions: InstructionImplementations = {
  VerifyTxSignature: verifyTransactionSignature,
  GetSegregatedSignature: (machine) => machine.pushBytes(machine.takeSignature()),
  VerifySecP256K1: verifying(compressedKeyLength, verifySignature),
  VerifyED25519: verifying(32, verifyEd25519),
  VerifyBIP340Schnorr: verifying(32, verifySchnorr),
  EthEcRecover: recoverAddress,
};

import { describe, expect, it } from '@jest/globals';
import { addressOf, contractIdOf, multisigOf } from '@shardnode/protocol/address';
import { genesisBlocks } from '@shardnode/protocol/block';
import { deployScript } from '@shardnode/protocol/building';
import { blake2bHash, verifySignature } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { contractCodec } from '@shardnode/protocol/script';
import { initialStateHashOf } from '@shardnode/protocol/state';
import { referenceOf, transactionId, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { developmentKeys } from '@shardnode/testing/keys';
import { developmentValues } from './development-values.js';

const { accounts, multisigAddress, genesis, payment, contract, deployment } = developmentValues;
const unsignedOf = (hex: string) => decode(unsignedTransactionCodec, hexToBytes(hex));
const isSignedBy = (txId: string, signature: string, publicKey: string): boolean =>
  verifySignature(hexToBytes(txId), hexToBytes(signature), hexToBytes(publicKey));

describe('values of the development network for examples', () => {
  it('are its accounts and its genesis', async () => {
    const keys = await developmentKeys();
    expect(accounts).toEqual(keys.map(({ address, publicKey }) => ({ address, publicKey: bytesToHex(publicKey) })));
    const multisig = multisigOf(
      keys.slice(0, 3).map(({ publicKey }) => publicKey),
      2,
    );
    expect(addressOf(multisig)).toBe(multisigAddress);
    expect(genesisBlocks(developmentNetwork)[0]!.header.hash).toBe(genesis.blockHash);
  });

  it('have a payment of genesis coins, signed', () => {
    const unsigned = unsignedOf(payment.unsignedTx);
    expect(unsigned.inputs.map(({ outputReference }) => outputReference)).toEqual([genesis.output]);
    expect(addressOf(unsigned.fixedOutputs[0]!.lockupScript)).toBe(multisigAddress);
    expect(transactionId(unsigned)).toBe(payment.txId);
    expect(isSignedBy(payment.txId, payment.signature, accounts[1].publicKey)).toBe(true);
  });

  it('have a deployment paid from the payment, signed', () => {
    const unsigned = unsignedOf(deployment.unsignedTx);
    const spent = referenceOf(unsignedOf(payment.unsignedTx).fixedOutputs[0]!, payment.txId, 0);
    expect(unsigned.inputs.map(({ outputReference }) => outputReference)).toEqual([spent]);
    expect(unsigned.script).toEqual(
      deployScript({
        contract: decode(contractCodec, hexToBytes(contract.code)),
        immutableFields: [],
        mutableFields: [],
        deployer: unsigned.fixedOutputs[0]!.lockupScript,
        initialCoin: 10n ** 18n,
        initialTokens: [],
      }),
    );
    expect(transactionId(unsigned)).toBe(deployment.txId);
    const signers = [accounts[0], accounts[2]];
    expect(
      signers.map(({ publicKey }, i) => isSignedBy(deployment.txId, deployment.signatures[i]!, publicKey)),
    ).toEqual([true, true]);
    const contractId = contractIdOf(deployment.txId, unsigned.fixedOutputs.length, 0);
    expect([contractId, addressOf({ kind: 'p2c', contractId })]).toEqual([contract.id, contract.address]);
    expect(blake2bHash(hexToBytes(contract.code))).toBe(contract.codeHash);
    expect(initialStateHashOf(contract.codeHash, [], [])).toBe(contract.initialStateHash);
  });
});

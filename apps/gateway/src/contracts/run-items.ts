import { scriptHex } from '@shardnode/http';
import { type ContractItem, type GroupRequests } from '@shardnode/messages';
import { encode } from '@shardnode/protocol/encoding';
import { oneCoin, zeroHash } from '@shardnode/protocol/primitives';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { tokenItems } from '../transactions/transactions.schemas.js';
import { type SentAsset, type SentCall, type SentContract, type SentTest } from './contracts.schemas.js';

/* Runs that change nothing, as services send them to each other. */

const defaultAsset: SentAsset = { attoCoinAmount: oneCoin, tokens: undefined };

const encodedValues = (values: readonly (readonly Val[])[] | undefined): Uint8Array =>
  encode(valsCodec, (values ?? []).flat());

const assetItem = ({ attoCoinAmount, tokens }: SentAsset) => ({
  amount: attoCoinAmount.toString(),
  tokens: tokenItems(tokens),
});

const contractItem = ({ address, bytecode, immFields, mutFields, asset }: SentContract): ContractItem => ({
  contractId: address.lockupScript.contractId,
  code: bytecode,
  immutableFields: encodedValues(immFields),
  mutableFields: encodedValues(mutFields),
  ...assetItem(asset),
});

/** Fields that a test and a call share. */
export const runItem = ({
  args,
  inputAssets,
  txId,
  callerAddress,
}: Pick<SentCall, 'args' | 'inputAssets' | 'txId' | 'callerAddress'>) => ({
  args: encodedValues(args),
  inputAssets: (inputAssets ?? []).map(({ address, asset }) => ({
    lockupScript: scriptHex(address.lockupScript),
    ...assetItem(asset),
  })),
  txId,
  callerId: callerAddress?.lockupScript.contractId,
});

/** A test run (protocol 07 §10.5); a contract without an address has the id of zeros. */
export const testItem = (test: SentTest): GroupRequests['read.contract.test']['request'] => ({
  ...runItem(test),
  methodIndex: test.methodIndex ?? 0,
  contract: {
    contractId: test.address?.lockupScript.contractId ?? zeroHash,
    code: test.bytecode,
    immutableFields: encodedValues(test.initialImmFields),
    mutableFields: encodedValues(test.initialMutFields),
    ...assetItem(test.initialAsset ?? defaultAsset),
  },
  existingContracts: (test.existingContracts ?? []).map(contractItem),
  blockHash: test.blockHash,
  blockTimestamp: test.blockTimeStamp?.toString(),
});

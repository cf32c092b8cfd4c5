import { parseAddress } from '@shardnode/protocol/address';
import { decode, hexToBytes } from '@shardnode/protocol/encoding';
import { type AssetLockupScript, outputHint, targetValue } from '@shardnode/protocol/primitives';
import { contractCodec } from '@shardnode/protocol/script';
import { ContractCode, initialStateHashOf } from '@shardnode/protocol/state';
import { type AssetOutput, type Token } from '@shardnode/protocol/transaction';
import { type BlockEnvironment, type TransactionEnvironment } from '@shardnode/protocol/vm';
import { MemoryContractState } from '../contract-state/index.js';
import {
  type ContractForm,
  type EnvironmentForm,
  type OutputForm,
  type TokenForm,
  type TransactionForm,
} from './run-vectors.js';
import { valueOfText } from './value-texts.js';

const tokensOf = (forms: readonly TokenForm[] = []): Token[] =>
  forms.map(({ id, amount }) => ({ id, amount: BigInt(amount) }));

const assetOutput = ({ address, amount, lockTime, tokens }: OutputForm): AssetOutput => ({
  kind: 'asset',
  amount: BigInt(amount),
  lockupScript: parseAddress(address) as AssetLockupScript,
  lockTime: BigInt(lockTime ?? 0),
  tokens: tokensOf(tokens),
  additionalData: new Uint8Array(0),
});

export const blockEnvironmentOf = (form: EnvironmentForm): BlockEnvironment => ({
  networkId: form.networkId,
  timestamp: BigInt(form.timestamp),
  target: targetValue(Number.parseInt(form.target, 16)),
  blockHash: form.blockHash ?? undefined,
  group: form.group,
});

export const transactionEnvironmentOf = (form: TransactionForm): TransactionEnvironment => ({
  id: form.txId,
  gasPrice: BigInt(form.gasPrice),
  gasAmount: form.gasAmount,
  inputs: form.inputs.map(assetOutput),
  fixedOutputs: form.fixedOutputs.map(assetOutput),
});

/** A world state of the initial entries and the given contracts, written without the checks of a creation. */
export const worldWith = (contracts: readonly ContractForm[]): MemoryContractState => {
  const world = new MemoryContractState();
  const layer = world.layer();
  for (const { id, code, imm, mut, amount, tokens, outputKey } of contracts) {
    const contractCode = ContractCode.of(decode(contractCodec, hexToBytes(code)));
    const [immutableFields, mutableFields] = [imm.map(valueOfText), mut.map(valueOfText)];
    const outputReference = { hint: outputHint({ kind: 'p2c', contractId: id }), key: outputKey };
    const initialStateHash = initialStateHashOf(contractCode.hash, immutableFields, mutableFields);
    layer.putCode(contractCode);
    const immutableStateHash = layer.putImmutableState({
      codeHash: contractCode.hash,
      initialStateHash,
      immutableFields,
    });
    layer.putRecord(id, { mutableFields, outputReference, immutableStateHash });
    layer.putOutput(outputReference, {
      kind: 'contract',
      amount: BigInt(amount),
      contractId: id,
      tokens: tokensOf(tokens),
    });
  }
  world.apply(layer.changes());
  return world;
};

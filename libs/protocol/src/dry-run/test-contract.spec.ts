import { describe, expect, it } from '@jest/globals';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import { readTranscript } from '@shardnode/testing/transcripts';
import { addressOf, parseAddress } from '../address/index.js';
import { bytesToHex, decode, encode, hexToBytes } from '../encoding/index.js';
import { type AssetLockupScript, type Hash, zeroHash } from '../primitives/index.js';
import { contractCodec, type Val } from '../script/index.js';
import { outputKey } from '../transaction/index.js';
import { type ContractState, type GivenContract, testContract, type ContractTestOutcome } from './index.js';

type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- recorded bodies

const scriptOf = (address: string) => parseAddress(address)!;
const idOf = (address: string | undefined): Hash | undefined => {
  const script = address === undefined ? undefined : scriptOf(address);
  return script?.kind === 'p2c' ? script.contractId : undefined;
};

const valsOf = (values: Json[] = []): Val[] =>
  values.flatMap(({ type, value }): Val[] => {
    switch (type) {
      case 'Array':
        return valsOf(value);
      case 'ByteVec':
        return [{ type, value: hexToBytes(value) }];
      case 'Address':
        return [{ type, value: scriptOf(value) }];
      case 'Bool':
        return [{ type, value }];
      default:
        return [{ type, value: BigInt(value) }];
    }
  });
const valueOf = ({ type, value }: Val): Json => {
  if (type === 'Address') return { type, value: addressOf(value) };
  if (type === 'ByteVec') return { type, value: bytesToHex(value) };
  return { type, value: type === 'Bool' ? value : String(value) };
};

const assetOf = (asset: Json = { attoCoinAmount: 10n ** 18n }) => ({
  amount: BigInt(asset.attoCoinAmount),
  tokens: (asset.tokens ?? []).map(({ id, amount }: Json) => ({ id, amount: BigInt(amount) })),
});
const givenOf = (id: Hash, code: string, immutable: Json[], mutable: Json[], asset?: Json): GivenContract => ({
  id,
  contract: decode(contractCodec, hexToBytes(code)),
  immutableFields: valsOf(immutable),
  mutableFields: valsOf(mutable),
  ...assetOf(asset),
});

const run = (body: Json): ContractTestOutcome =>
  testContract({
    block: {
      networkId: 4,
      timestamp: BigInt(body.blockTimeStamp),
      target: 1n << 255n,
      blockHash: body.blockHash,
      group: body.group ?? 0,
    },
    layer: new MemoryContractState().layer(),
    contract: givenOf(
      idOf(body.address) ?? zeroHash,
      body.bytecode,
      body.initialImmFields,
      body.initialMutFields,
      body.initialAsset,
    ),
    existingContracts: (body.existingContracts ?? []).map((one: Json) =>
      givenOf(idOf(one.address)!, one.bytecode, one.immFields, one.mutFields, one.asset),
    ),
    call: {
      transactionId: body.txId,
      methodIndex: body.methodIndex ?? 0,
      args: valsOf(body.args),
      callerId: idOf(body.callerAddress),
      inputAssets: (body.inputAssets ?? []).map(({ address, asset }: Json) => ({
        lockupScript: scriptOf(address) as AssetLockupScript,
        ...assetOf(asset),
      })),
    },
  });

const tokensOf = (tokens: ContractState['tokens']): Json =>
  tokens.map(({ id, amount }) => ({ id, amount: `${amount}` }));
const stateOf = (state: ContractState): Json => ({
  address: addressOf({ kind: 'p2c', contractId: state.id }),
  bytecode: bytesToHex(encode(contractCodec, state.contract)),
  codeHash: state.code.hash,
  initialStateHash: state.initialStateHash,
  immFields: state.immutableFields.map(valueOf),
  mutFields: state.mutableFields.map(valueOf),
  asset: { attoCoinAmount: `${state.amount}`, tokens: tokensOf(state.tokens) },
});

const answerOf = (body: Json, outcome: ContractTestOutcome & { kind: 'succeeded' }): Json => ({
  codeHash: outcome.codeHash,
  returns: outcome.returns.map(valueOf),
  gasUsed: outcome.gasUsed,
  contracts: outcome.contracts.map(stateOf),
  txInputs: outcome.inputContracts.map((contractId) => addressOf({ kind: 'p2c', contractId })),
  events: outcome.events.map(({ contractId, eventIndex, fields }) => ({
    blockHash: body.blockHash,
    contractAddress: addressOf({ kind: 'p2c', contractId }),
    eventIndex,
    fields: fields.map(valueOf),
  })),
  debugMessages: outcome.debugMessages.map(({ contractId, message }) => ({
    contractAddress: addressOf({ kind: 'p2c', contractId }),
    message,
  })),
});

interface Recorded {
  readonly step: number;
  readonly name: string;
  readonly request: { readonly path: string; readonly body: Json };
  readonly reference: { readonly status: number; readonly body: Json };
}

const recorded = ['31-test-contract-from-bytecode', '33-event-pages-from-bytecode'].flatMap((name) =>
  (readTranscript(name).exchanges as unknown as Recorded[]).filter(
    ({ request: { path, body } }) => path === '/contracts/test-contract' && body.blockHash !== undefined,
  ),
);
const good = recorded.filter(({ reference: { status } }) => status === 200);
const failed = recorded.filter(({ reference: { body } }) => String(body.detail).includes('VM execution error'));

describe('runs of contracts that are not on the chain, as recorded', () => {
  it.each(good.map((one) => [one.name, one] as const))('%s', (_name, { request: { body }, reference }) => {
    const outcome = run(body);
    if (outcome.kind !== 'succeeded') throw new Error(JSON.stringify(outcome));
    const { address: _address, txOutputs, ...rest } = reference.body;
    expect(answerOf(body, outcome)).toEqual(rest);
    expect(outcome.outputs.map(({ amount }, index) => [`${amount}`, outputKey(zeroHash, index)])).toEqual(
      txOutputs.map(({ attoCoinAmount, key }: Json) => [attoCoinAmount, key]),
    );
  });

  it.each(failed.map((one) => [one.name, one] as const))('%s', (_name, { request: { body }, reference }) => {
    const outcome = run(body);
    if (outcome.kind !== 'execution') throw new Error(outcome.kind);
    const expected = /^\{\{re:(.*)\}\}$/.exec(reference.body.detail);
    const text = `${outcome.messages}VM execution error: ${outcome.why}`
      .replaceAll('{coin}', 'coin')
      .replaceAll('{COIN}', 'COIN');
    if (expected) expect(text).toMatch(new RegExp(`^${expected[1]}$`));
    else expect(text).toBe(reference.body.detail);
  });

  it('are of both kinds', () => {
    expect([good.length, failed.length]).toEqual([12, 7]);
  });
});

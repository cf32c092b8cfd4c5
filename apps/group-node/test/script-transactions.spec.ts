import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '@shardnode/core/lifecycle';
import { type BuiltTransaction } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { groupOfLockupScript, referenceId } from '@shardnode/protocol/primitives';
import {
  addressConstant,
  bytesConstant,
  type Contract,
  contractCodec,
  type Instruction,
  instructionNamed,
  type Method,
  statefulScriptCodec,
  type StatelessScript,
  statelessScriptHash,
  u256Constant,
  type Val,
  valsCodec,
} from '@shardnode/protocol/script';
import {
  transactionId,
  transactionTemplateCodec,
  type UnlockScript,
  unlockScriptCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { ScriptLanes } from '../src/mempool/script-lanes.js';
import { Submission } from '../src/mempool/submission.js';
import { WorkQueue } from '../src/writer/work-queue.js';
import { errorOf } from './support/error-of.js';
import { coin, lockupHex, TestNetwork, until } from './support/network.js';

const methodOf = (instructions: readonly Instruction[], assetModifier = 0): Method => ({
  isPublic: true,
  assetModifier,
  argsLength: 0,
  localsLength: 0,
  returnLength: 0,
  instructions,
});
/** Method 0 adds one to its field; method 1 fails with an error code. */
const counter: Contract = {
  fieldLength: 1,
  methods: [
    methodOf([
      instructionNamed('LoadMutField', 0),
      u256Constant(1n),
      instructionNamed('U256Add'),
      instructionNamed('StoreMutField', 0),
    ]),
    methodOf([instructionNamed('ConstFalse'), u256Constant(7n), instructionNamed('AssertWithErrorCode')]),
  ],
};
const zero: Val = { type: 'U256', value: 0n };
const bytecode = new Uint8Array([
  ...encode(contractCodec, counter),
  ...encode(valsCodec, []),
  ...encode(valsCodec, [zero]),
]);
const scriptBytes = (instructions: readonly Instruction[], assetModifier = 0): Uint8Array =>
  encode(statefulScriptCodec, { methods: [methodOf(instructions, assetModifier)] });
const callOf = (contractId: string, method: number): Uint8Array =>
  scriptBytes([
    u256Constant(0n),
    u256Constant(0n),
    bytesConstant(hexToBytes(contractId)),
    instructionNamed('CallExternal', method),
  ]);

describe('script transactions through group-nodes', () => {
  let network: TestNetwork;
  let key: TestKey;
  let contractId: string;
  beforeAll(async () => {
    network = await TestNetwork.open();
    key = (await developmentKeys())[0]!;
    const built = await network.client.request(0, 'read.building.deploy-contract', {
      ...sender(),
      bytecode,
      initialTokens: [],
    });
    contractId = built.contractId;
    await submit(built);
  });
  afterAll(() => network.close());

  const scriptsOf = ({ lockupScript, publicKey }: TestKey) => ({
    lockupScript: lockupHex(lockupScript),
    unlockScript: bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey })),
  });
  const sender = () => scriptsOf(key);
  /** `gasAmount`: as the reference builds it, without a trial. */
  const execute = (script: Uint8Array, gasAmount?: number): Promise<BuiltTransaction> =>
    network.client.request(0, 'read.building.execute-script', {
      ...sender(),
      script,
      tokens: [],
      ...(gasAmount === undefined ? {} : { gasAmount, unminable: 'build' }),
    });
  const submit = ({ unsignedTx, txId }: Pick<BuiltTransaction, 'unsignedTx' | 'txId'>) => {
    const unsigned = decode(unsignedTransactionCodec, unsignedTx);
    const inputSignatures = [sign(hexToBytes(txId), key.privateKey)];
    const template = encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
    return network.client.request(0, 'command.mempool.submit', { template });
  };
  const fields = async (): Promise<readonly Val[]> => {
    const { mutableFields } = await network.client.request(0, 'read.contract.stored', { contractId });
    return decode(valsCodec, mutableFields);
  };

  it('a deployed contract is there once the submit is answered, under the id that was foretold', async () => {
    expect(await fields()).toEqual([zero]);
    const asset = await network.client.request(0, 'read.contract.asset', { contractId });
    expect(asset.amount).toBe(coin.toString());
  });

  it('without its lists of fields, a contract is refused with what to append', async () => {
    const code = encode(contractCodec, counter);
    const error = await errorOf(
      network.client.request(0, 'read.building.deploy-contract', { ...sender(), bytecode: code, initialTokens: [] }),
    );
    expect([error.code, error.data.field]).toEqual(['Undecodable', 'bytecode']);
    expect(error.detail).toMatch(
      /^bytecode: Too few bytes: expected 1, got 0: this is the code of the contract alone; append .*0000/,
    );
  });

  it('calls change it, each seeing what the one before did and spends', async () => {
    await submit(await execute(callOf(contractId, 0)));
    expect(await fields()).toEqual([{ type: 'U256', value: 1n }]);
    const built: BuiltTransaction[] = [];
    for (let i = 0; i < 4; i++) {
      const next = await execute(callOf(contractId, 0));
      built.push(next);
      await submit(next);
    }
    await until('all have counted', async () => (await fields())[0]!.value === 5n);
    for (const { txId } of built) expect((await network.status(0, txId)).type).toBe('Confirmed');
  });

  it('a call that fails is refused when built and when submitted, with its place', async () => {
    const data = {
      failure: 'AssertionFailedWithErrorCode',
      failedContract: addressOf({ kind: 'p2c', contractId }),
      assertionCode: '7',
    };
    const address = addressOf({ kind: 'p2c', contractId });
    const text = `Assertion Failed in Contract @ ${address}, Error Code: 7`;
    const building = await errorOf(execute(callOf(contractId, 1)));
    expect(building).toMatchObject({ kind: 'refused', code: 'ScriptTrialFailed', data });
    expect(building.detail).toBe(`The script failed while estimating its gas: ${text}`);
    const submitted = await errorOf(execute(callOf(contractId, 1), 100_000).then(submit));
    expect(submitted).toMatchObject({ kind: 'refused', code: 'TxScriptExeFailed', data });
    expect(submitted.detail).toBe(`Transaction ${submitted.data.txId} is refused: its script fails: ${text}`);
    expect(submitted.data.result).toBe(`TxScriptExeFailed(${text})`);
  });

  it('a script that failed does not run again for the same bytes at the same tips', async () => {
    const built = await execute(callOf(contractId, 1), 110_000);
    const judge = jest.spyOn(Submission.prototype, 'verdict');
    const errors = await Promise.all(Array.from({ length: 5 }, () => errorOf(submit(built))));
    for (const error of errors) expect(error.detail).toBe(errors[0]!.detail);
    // What is in the pool is judged too, with its id.
    expect(judge.mock.calls.filter(([, pooled]) => pooled === undefined)).toHaveLength(1);
    judge.mockRestore();
  });

  it('scripts that fail take no time of the writer and leave no trace', async () => {
    const admissions = jest.spyOn(WorkQueue.prototype, 'run');
    const built = await Promise.all(Array.from({ length: 5 }, (_, i) => execute(callOf(contractId, 1), 110_000 + i)));
    for (const each of built) expect((await errorOf(submit(each))).code).toBe('TxScriptExeFailed');
    expect(admissions.mock.calls.filter(([name]) => name === 'admit')).toEqual([]);
    admissions.mockRestore();
    for (const { txId } of built) expect((await network.status(0, txId)).type).toBe('TxNotFound');
    // The repaired script spends the same outputs, at once.
    const repaired = await execute(callOf(contractId, 0));
    await submit(repaired);
    expect((await network.status(0, repaired.txId)).type).toBe('Confirmed');
  });

  it('a script that takes more than is approved is refused with what to approve, which is accepted at submit', async () => {
    const poor = testKeyOfGroup(0);
    const script = scriptBytes(
      [
        addressConstant(key.lockupScript),
        addressConstant(poor.lockupScript),
        u256Constant(coin / 2n),
        instructionNamed('TransferCoin'),
      ],
      1,
    );
    const approving = (amount: bigint, gasAmount?: number): Promise<BuiltTransaction> =>
      network.client.request(0, 'read.building.execute-script', {
        ...sender(),
        script,
        amount: String(amount),
        tokens: [],
        ...(gasAmount === undefined ? {} : { gasAmount }),
      });
    for (const gasAmount of [undefined, 100_000]) {
      const error = await errorOf(approving(coin / 2n + 1n, gasAmount));
      expect(error).toMatchObject({ code: 'ScriptTrialFailed', data: { field: 'attoCoinAmount' } });
      expect(error.detail).toMatch(
        /\. Approve 0\.501 \{COIN\} \(501000000000000000 atto\{Coin\}\) with `attoCoinAmount`\.$/,
      );
    }
    const built = await approving((coin * 501n) / 1000n);
    await submit(built);
    expect((await network.status(0, built.txId)).type).toBe('Confirmed');
    // What the receiver got is too little for a deployment.
    for (const unminable of ['refuse', 'build'] as const) {
      const request = { ...scriptsOf(poor), bytecode, initialTokens: [], unminable };
      const error = await errorOf(network.client.request(0, 'read.building.deploy-contract', request));
      expect(error).toMatchObject({ code: 'NotEnoughBalance', data: { field: 'initialAttoCoinAmount' } });
      expect(error.detail).toMatch(/can spend 0\.5 .*Send coins to it first\.$/);
    }
  });

  it('a script under a wrong signature does not run, and marks nothing', async () => {
    const failed = jest.spyOn(ScriptLanes.prototype, 'failed');
    const { unsignedTx, txId } = await execute(callOf(contractId, 1), 120_000);
    const unsigned = decode(unsignedTransactionCodec, unsignedTx);
    const other = (await developmentKeys())[1]!;
    const inputSignatures = [sign(hexToBytes(txId), other.privateKey)];
    const template = encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
    const error = await errorOf(network.client.request(0, 'command.mempool.submit', { template }));
    expect(error.code).toBe('InvalidSignature');
    expect(failed).not.toHaveBeenCalled();
    // Under the right one it is the sender's own, and counts for its outputs as long as it ran: no time, by a clock that stands.
    const time = jest.spyOn(systemClock, 'monotonic').mockReturnValue(systemClock.monotonic());
    await errorOf(submit({ unsignedTx, txId }));
    time.mockRestore();
    const inputs = unsigned.inputs.map(({ outputReference }) => referenceId(outputReference));
    expect(failed.mock.calls).toEqual([[{ client: '', inputs }, 0]]);
    failed.mockRestore();
  });

  it('what no block of ours can hold is refused by name', async () => {
    const asksForHash = scriptBytes([instructionNamed('BlockHash'), instructionNamed('Pop')]);
    expect((await errorOf(execute(asksForHash, 100_000).then(submit))).detail).toMatch(
      /^Transaction [0-9a-f]{64} is refused: its script fails: no block hash available$/,
    );
    const aborting = scriptBytes([
      instructionNamed('I256Const', -2n),
      u256Constant(2n ** 31n - 1n),
      instructionNamed('I256Exp'),
      instructionNamed('Pop'),
    ]);
    expect(await errorOf(execute(aborting, 100_000).then(submit))).toMatchObject({
      kind: 'refused',
      code: 'TxScriptExeFailed',
    });
    const undecodable = await errorOf(execute(hexToBytes('ff')));
    expect(undecodable).toMatchObject({ kind: 'invalid-request', detail: 'Invalid TxScript' });
    const { client } = network;
    const deploy = client.request(0, 'read.building.deploy-contract', {
      ...sender(),
      bytecode: bytecode.subarray(0, -2),
      initialTokens: [],
    });
    expect(await errorOf(deploy)).toMatchObject({ kind: 'invalid-request' });
  });

  it('a script address pays from outputs that its script unlocks', async () => {
    // Unlocks what its parameter allows.
    const allowing = [instructionNamed('LoadLocal', 0), instructionNamed('Assert')];
    const padded = (padding: number): StatelessScript => {
      const pads = Array.from({ length: padding }, () => [u256Constant(1n), instructionNamed('Pop')]).flat();
      return { methods: [{ ...methodOf([...pads, ...allowing]), argsLength: 1, localsLength: 1 }] };
    };
    const unlocking = (value: boolean): UnlockScript => ({
      kind: 'p2sh',
      script,
      parameters: [{ type: 'Bool', value }],
    });
    const script = Array.from({ length: 40 }, (_, i) => padded(i)).find(
      (each) => groupOfLockupScript({ kind: 'p2sh', scriptHash: statelessScriptHash(each) }, 4) === 0,
    )!;
    const lockupScript = { kind: 'p2sh' as const, scriptHash: statelessScriptHash(script) };
    await network.transfer(key, [{ key: { ...key, lockupScript }, amount: 5n * coin }]);
    await until('it has arrived', async () => (await network.balance({ group: 0, lockupScript })) === 5n * coin);
    const transferOf = (from: ReturnType<typeof sender>) =>
      network.client.request(0, 'read.building.transfer', {
        ...from,
        destinations: [{ lockupScript: lockupHex(key.lockupScript), amount: coin.toString(), tokens: [] }],
        gasFormula: 'document',
      });
    const scriptSender = {
      lockupScript: lockupHex(lockupScript),
      unlockScript: bytesToHex(encode(unlockScriptCodec, unlocking(true))),
    };
    const built = await transferOf(scriptSender);
    const unsigned = decode(unsignedTransactionCodec, built.unsignedTx);
    // One that fails takes no time of the writer, whatever the other inputs are.
    const admissions = jest.spyOn(WorkQueue.prototype, 'run');
    const own = decode(unsignedTransactionCodec, (await transferOf(sender())).unsignedTx);
    const both = {
      ...own,
      inputs: [...own.inputs, ...unsigned.inputs.map((input) => ({ ...input, unlockScript: unlocking(false) }))],
      fixedOutputs: [...own.fixedOutputs, ...unsigned.fixedOutputs],
      gasAmount: own.gasAmount + unsigned.gasAmount,
    };
    const txId = transactionId(both);
    const error = await errorOf(submit({ unsignedTx: encode(unsignedTransactionCodec, both), txId }));
    expect(error.code).toBe('UnlockScriptExeFailed');
    expect(admissions.mock.calls.filter(([name]) => name === 'admit')).toEqual([]);
    admissions.mockRestore();
    const template = encode(transactionTemplateCodec, { unsigned, inputSignatures: [], scriptSignatures: [] });
    await network.client.request(0, 'command.mempool.submit', { template });
    expect((await network.status(0, built.txId)).type).toBe('Confirmed');
  });
});

import { describe, expect, it } from '@jest/globals';
import { blockEnvironment, instruction, methodOf, transactionEnvironment } from '@shardnode/testing/builders';
import { readVectors } from '@shardnode/testing/vectors';
import { worldWith } from '@shardnode/testing/vm';
import { fc } from '@shardnode/testing/properties';
import { bytesToHex, encode, hexToBytes } from '../encoding/index.js';
import {
  type AssetLockupScript,
  dustAmount,
  type Hash,
  type LockupScript,
  oneCoin,
  zeroHash,
} from '../primitives/index.js';
import {
  addressConstant,
  bytesConstant,
  contractCodec,
  type Instruction,
  type Method,
  u256Constant,
} from '../script/index.js';
import { type ContractChanges, ContractCode, ContractLayer, StateMiss } from '../state/index.js';
import { type AssetOutput, type Token } from '../transaction/index.js';
import { BalanceList, newBalanceEntry } from './balance-list.js';
import { newBalanceState } from './balance-state.js';
import { isInCallerTrace } from './caller-trace.js';
import { type CodeObject, type ContractObject } from './code-object.js';
import { checkNewId } from './contract-creation.js';
import { ContractPool } from './contract-pool.js';
import { ContractSession } from './contract-session.js';
import { ExecutionFailure } from './failure.js';
import { Frame } from './frame.js';
import { findMethodBySelector } from './selector-search.js';
import { creationEventsId, destructionEventsId } from './system-events.js';
import { executeTransactionScript, type TransactionScriptOptions } from './transaction-script-run.js';

/** Modifiers of methods (protocol 05 §3.1). */
const [bothAssets, contractAssets, approvedAssets] = [1, 2, 3];
const gasLimit = 625_000;
const fee = BigInt(transactionEnvironment.gasAmount) * transactionEnvironment.gasPrice;

const person = (digit: string): AssetLockupScript => ({ kind: 'p2pkh', publicKeyHash: digit.repeat(64) });
const [alice, bob] = [person('a'), person('b')];
const vaultId = `${'c'.repeat(62)}00`;
const otherId = `${'d'.repeat(62)}00`;
const addressOfContract = (contractId: Hash): LockupScript => ({ kind: 'p2c', contractId });
const token = '77'.repeat(32);

const input = (lockupScript: AssetLockupScript, amount: bigint, tokens: readonly Token[] = []): AssetOutput => ({
  kind: 'asset',
  amount,
  lockupScript,
  lockTime: 0n,
  tokens,
  additionalData: new Uint8Array(0),
});

const codeHex = (methods: readonly Method[], fieldLength = 0): string =>
  bytesToHex(encode(contractCodec, { fieldLength, methods }));

const contractForm = (id: Hash, methods: readonly Method[], amount = 2n * oneCoin, imm: readonly string[] = []) => ({
  id,
  code: codeHex(methods, imm.length),
  imm,
  mut: [],
  amount: amount.toString(),
  outputKey: id.replaceAll(/[cd]/g, 'e'),
});

const approveCoin = (owner: LockupScript, amount: bigint): Instruction[] => [
  addressConstant(owner),
  u256Constant(amount),
  instruction('ApproveCoin'),
];
const approveToken = (owner: LockupScript, amount: bigint, tokenId: Hash = token): Instruction[] => [
  addressConstant(owner),
  bytesConstant(hexToBytes(tokenId)),
  u256Constant(amount),
  instruction('ApproveToken'),
];
const transferCoin = (from: LockupScript, to: LockupScript, amount: bigint): Instruction[] => [
  addressConstant(from),
  addressConstant(to),
  u256Constant(amount),
  instruction('TransferCoin'),
];
/** A call without arguments and results. */
const callExternal = (id: Hash, method = 0): Instruction[] => [
  u256Constant(0n),
  u256Constant(0n),
  bytesConstant(hexToBytes(id)),
  instruction('CallExternal', method),
];
/** Creates a contract with no fields and one empty method from what is approved; leaves its id. */
const create = (): Instruction[] => [
  bytesConstant(hexToBytes(codeHex([methodOf([])]))),
  bytesConstant(Uint8Array.of(0)),
  bytesConstant(Uint8Array.of(0)),
  instruction('CreateContract'),
];

const emptyLayer = () => worldWith([]).layer();

const execute = (
  body: readonly Instruction[],
  inputs: readonly AssetOutput[] = [],
  options: Partial<TransactionScriptOptions> = {},
) =>
  executeTransactionScript({
    block: blockEnvironment,
    transaction: { ...transactionEnvironment, inputs },
    script: { methods: [methodOf(body, { assetModifier: inputs.length > 0 ? approvedAssets : 0 })] },
    layer: emptyLayer(),
    gasLimit,
    scriptSignatures: [],
    endPhase: 'whole',
    ...options,
  });

const succeeded = (...args: Parameters<typeof execute>) => {
  const outcome = execute(...args);
  if (outcome.kind !== 'succeeded') throw new Error(outcome.kind === 'aborted' ? outcome.why : outcome.failure.text());
  return outcome;
};

/** The name of the failure, or how else the run ended. */
const failureOf = (...args: Parameters<typeof execute>): string => {
  const outcome = execute(...args);
  return outcome.kind === 'failed' ? outcome.failure.failure : outcome.kind;
};

const nameOf = (body: () => unknown): string => {
  try {
    body();
  } catch (error) {
    if (error instanceof ExecutionFailure) return error.failure;
    throw error;
  }
  return 'nothing';
};

const startSession = (layer = emptyLayer(), limit = gasLimit) =>
  ContractSession.start(layer, {
    block: blockEnvironment,
    transaction: transactionEnvironment,
    gasLimit: limit,
    signatures: [],
  });

const nothing: ContractChanges = { records: new Map(), outputs: new Map(), immutable: new Map(), events: [] };

describe('rules that no vector tells apart (protocol 05 §17)', () => {
  it('no contract gets the all-zero id', () => {
    expect(nameOf(() => checkNewId(zeroHash))).toBe('ZeroContractId');
    expect(nameOf(() => checkNewId(`${'0'.repeat(62)}01`))).toBe('nothing');
  });

  it('a contract stands behind what was approved to it', () => {
    const method = methodOf([], { assetModifier: bothAssets });
    const { session } = startSession(worldWith([contractForm(vaultId, [method])]).layer());
    const script: CodeObject = { kind: 'script', methods: [method] };
    const balances = newBalanceState();
    balances.approved.addCoin(bob, 5n);
    balances.approved.addCoin(alice, 4n);
    const caller = new Frame(script, 0, method, undefined, balances, 0);
    const called = session.balancesForCall(caller, session.load(vaultId), method)!;
    expect([...called.remaining.entries()].map(({ lockupScript, coin, depth }) => [lockupScript, coin, depth])).toEqual(
      [
        [bob, 5n, 1],
        [alice, 4n, 1],
        [addressOfContract(vaultId), 2n * oneCoin, 0],
      ],
    );
    expect(called.approved.isEmpty).toBe(true);
    expect(balances.approved.isEmpty).toBe(true);
  });

  it('a failed search leaves the position at the number of methods', () => {
    const selected = (selector: number) => methodOf([instruction('MethodSelector', selector)]);
    const code = ContractCode.of({ fieldLength: 0, methods: [selected(1), methodOf([]), selected(1)] });
    const contract = { code, methods: code.contract.methods } as ContractObject;
    let charged = 0;
    const search = (selector: number): unknown =>
      findMethodBySelector(contract, selector, (gas) => {
        charged += gas;
      });
    expect(search(1)).toBe(0);
    expect([charged, code.selectors.position]).toEqual([8, 0]);
    expect(nameOf(() => search(9))).toBe('InvalidMethodSelector');
    expect([charged, code.selectors.position]).toEqual([8, 3]);
    expect(search(1)).toBe(2);
    expect(charged).toBe(8);
  });

  it('what is in the pool is given out before the block list is asked', () => {
    const pool = new ContractPool(worldWith([contractForm(vaultId, [methodOf([])])]).layer(), 0);
    const gas: number[] = [];
    const charge = (amount: number): void => void gas.push(amount);
    const contract = pool.load(vaultId, charge);
    pool.block(vaultId);
    expect(pool.load(vaultId, charge)).toBe(contract);
    expect(gas).toHaveLength(1);
    pool.remove(vaultId);
    expect(nameOf(() => pool.load(vaultId, charge))).toBe('ContractLoadDisallowed');
  });

  it('the caller trace ends at the first script', () => {
    const method = methodOf([]);
    const contract = (id: Hash) => ({ kind: 'contract', id, methods: [method] }) as unknown as ContractObject;
    const bottom = new Frame(contract(otherId), 0, method, undefined, undefined, 0);
    const script = new Frame({ kind: 'script', methods: [method] }, 0, method, bottom, undefined, 0);
    const top = new Frame(contract(vaultId), 0, method, script, undefined, 0);
    expect(isInCallerTrace(top, vaultId)).toBe(true);
    expect(isInCallerTrace(top, otherId)).toBe(false);
    expect(isInCallerTrace(script, otherId)).toBe(false);
    expect(isInCallerTrace(bottom, otherId)).toBe(true);
  });
});

describe('a transaction script', () => {
  it('moves assets as in protocol 05 §16.4', () => {
    const deposit = methodOf([addressConstant(alice), u256Constant(oneCoin), instruction('TransferCoinToSelf')], {
      assetModifier: bothAssets,
    });
    const world = worldWith([contractForm(vaultId, [deposit])]);
    const layer = world.layer();
    const old = layer.record(vaultId)!.outputReference;
    const outcome = succeeded(
      [...approveCoin(alice, 4n * oneCoin), ...callExternal(vaultId)],
      [input(alice, 10n * oneCoin)],
      {
        layer,
      },
    );
    expect(outcome.generatedOutputs).toEqual([
      { kind: 'contract', amount: 3n * oneCoin, contractId: vaultId, tokens: [] },
      input(alice, 9n * oneCoin - fee),
    ]);
    expect(outcome.contractInputs).toEqual([old]);
    // Script 240, load 800 and the words of the code, contract input 2000, transfer 34, two outputs.
    const areaLength = layer.code(
      layer.immutableState(layer.record(vaultId)!.immutableStateHash).codeHash,
    ).methodAreaLength;
    expect(gasLimit - outcome.gasLeft).toBe(240 + 800 + Math.ceil(areaLength / 8) + 2000 + 34 + 2 * 4500);
    expect(outcome.layer.contractOutput(old)).toBeUndefined();
    expect(outcome.layer.contractOutput(outcome.layer.record(vaultId)!.outputReference)?.amount).toBe(3n * oneCoin);
    expect(layer.changes()).toEqual(nothing);
  });

  it('leaves nothing behind when it fails', () => {
    const layer = emptyLayer();
    const body = [...approveCoin(alice, oneCoin), ...create(), instruction('Pop'), instruction('ConstFalse')];
    const inputs = [input(alice, 10n * oneCoin)];
    const kept = succeeded([...body, instruction('Pop')], inputs, { layer });
    expect(kept.generatedOutputs).toHaveLength(2);
    expect(failureOf([...body, instruction('Assert')], inputs, { layer })).toBe('AssertionFailed');
    expect(layer.changes()).toEqual(nothing);
    kept.layer.keep();
    const changes = layer.changes();
    expect([changes.records.size, changes.outputs.size, changes.immutable.size, changes.events.length]).toEqual([
      1, 1, 2, 1,
    ]);
  });

  it('passes on that a piece of the state is missing', () => {
    const miss = new StateMiss(['ab'.repeat(32)]);
    const missing = (): never => {
      throw miss;
    };
    const layer = ContractLayer.overState({
      exists: missing,
      record: missing,
      contractOutput: missing,
      immutableState: missing,
      contract: missing,
    });
    expect(() => execute(callExternal(vaultId), [], { layer })).toThrow(miss);
  });

  it('returns values only to somebody who receives them', () => {
    const script = { methods: [methodOf([u256Constant(7n)], { returnLength: 1 })] };
    expect(failureOf([], [], { script })).toBe('NonEmptyReturnForMainFunction');
    expect(succeeded([], [], { script, receivesResults: true }).results).toEqual([{ type: 'U256', value: 7n }]);
  });

  it('may start with other balances than those of its transaction', () => {
    const balances = new BalanceList();
    balances.addCoin(bob, 3n * oneCoin);
    const outcome = succeeded(transferCoin(bob, alice, oneCoin), [input(alice, 1n)], { balances });
    expect(outcome.generatedOutputs).toEqual([input(alice, oneCoin), input(bob, 2n * oneCoin)]);
  });

  it('takes script signatures from the end of their list', () => {
    const signature = (byte: number) => new Uint8Array(64).fill(byte);
    const script = {
      methods: [
        methodOf([instruction('GetSegregatedSignature'), instruction('GetSegregatedSignature')], { returnLength: 2 }),
      ],
    };
    const { results } = succeeded([], [], {
      script,
      scriptSignatures: [signature(1), signature(2)],
      receivesResults: true,
    });
    expect(results).toEqual([2, 1].map((byte) => ({ type: 'ByteVec', value: signature(byte) })));
  });
});

describe('a gas estimation (protocol 05 §15)', () => {
  it('does not ask for the signatures that are left over', () => {
    const scriptSignatures = [new Uint8Array(64)];
    expect(failureOf([], [], { scriptSignatures })).toBe('TooManySignatures');
    expect(failureOf([], [], { scriptSignatures, endPhase: 'estimate' })).toBe('succeeded');
  });

  it('does not ask for the deposit of a new contract, and takes the same gas', () => {
    const body = (deposit: bigint) => [...approveCoin(alice, deposit), ...create()];
    const inputs = [input(alice, 10n * oneCoin)];
    expect(failureOf(body(oneCoin - 1n), inputs)).toBe('LowerThanContractMinimalBalance');
    const estimated = succeeded(body(oneCoin - 1n), inputs, { endPhase: 'estimate' });
    expect(estimated.gasLeft).toBe(succeeded(body(oneCoin), inputs).gasLeft);
  });

  it('writes changed fields and removes spent outputs all the same', () => {
    const close = methodOf([addressConstant(bob), instruction('DestroySelf')], { assetModifier: contractAssets });
    const layer = worldWith([contractForm(vaultId, [close])]).layer();
    const old = layer.record(vaultId)!.outputReference;
    const outcome = succeeded(callExternal(vaultId), [], { layer, endPhase: 'estimate' });
    expect(outcome.layer.exists(vaultId)).toBe(false);
    expect(outcome.layer.contractOutput(old)).toBeUndefined();
    expect(outcome.generatedOutputs).toEqual([input(bob, 2n * oneCoin)]);
  });
});

describe('events of creation and destruction (protocol 05 §13.2)', () => {
  it('stand under ids of their own in every group', () => {
    interface Ids {
      readonly group: number;
      readonly create: Hash;
      readonly destroy: Hash;
    }
    // The project's own copy of the file lacks this part.
    const { systemEventContractIds: part } = readVectors<{ systemEventContractIds?: { ids: readonly Ids[] } }>(
      'contract-state.json',
    );
    const own = { group: 3, create: `${'0'.repeat(60)}ff03`, destroy: `${'0'.repeat(60)}fe03` };
    for (const { group, create: creation, destroy } of [own, ...(part?.ids ?? [])]) {
      expect([creationEventsId(group), destructionEventsId(group)]).toEqual([creation, destroy]);
    }
  });

  it('name the parent, and the interface that the last immutable field tells', () => {
    const child = codeHex([methodOf([])], 2);
    const fieldsOf = (last: string) => hexToBytes(`02010a03${(last.length / 2).toString(16).padStart(2, '0')}${last}`);
    const make = (path: number, last: string): Instruction[] => [
      ...approveCoin(addressOfContract(vaultId), oneCoin),
      bytesConstant(Uint8Array.of(path)),
      bytesConstant(hexToBytes(child)),
      bytesConstant(fieldsOf(last)),
      bytesConstant(Uint8Array.of(0)),
      instruction('CreateSubContract'),
      instruction('Pop'),
    ];
    const lasts = ['414c50480001', '414c5048', '414c50', '004c50480001', ''];
    const maker = methodOf(
      lasts.flatMap((last, path) => make(path, last)),
      { assetModifier: contractAssets },
    );
    const layer = worldWith([contractForm(vaultId, [maker], 9n * oneCoin)]).layer();
    succeeded(callExternal(vaultId), [], { layer }).layer.keep();
    const { events, records } = layer.changes();
    expect(events.map(({ contractId, eventIndex }) => [contractId, eventIndex])).toEqual(
      lasts.map(() => [`${'0'.repeat(60)}ff00`, -1]),
    );
    expect(events.map(({ fields }) => fields.slice(1))).toEqual(
      ['0001', '', '', '', ''].map((known) => [
        { type: 'Address', value: addressOfContract(vaultId) },
        { type: 'ByteVec', value: hexToBytes(known) },
      ]),
    );
    const created = events.map(({ fields }) => fields[0]!.value);
    expect(new Set(created)).toEqual(
      new Set([...records.keys()].filter((id) => id !== vaultId).map(addressOfContract)),
    );
  });

  it('are not written where there is no block hash', () => {
    const layer = emptyLayer();
    const block = { ...blockEnvironment, blockHash: undefined };
    succeeded([...approveCoin(alice, oneCoin), ...create()], [input(alice, 10n * oneCoin)], {
      layer,
      block,
    }).layer.keep();
    const { records, events } = layer.changes();
    expect([records.size, events]).toEqual([1, []]);
  });
});

describe('sums that overflow (protocol 05 §18 item 9)', () => {
  it('lose the amount and what is left of its entry, and go on with the next entry', () => {
    const most = (1n << 256n) - 1n;
    /** Behind `token` in the order of the table. */
    const later = '78'.repeat(32);
    const carol = person('c');
    const balances = new BalanceList();
    for (const owner of [alice, bob, carol]) {
      const tokens = [token, later].map((id) => ({ id, amount: most }));
      balances.add(newBalanceEntry(owner, 2n * oneCoin, tokens));
    }
    const body = [
      ...approveCoin(alice, oneCoin),
      ...approveToken(alice, most),
      ...approveCoin(bob, oneCoin),
      ...approveToken(bob, 1n),
      ...approveToken(bob, 9n, later),
      ...approveCoin(carol, oneCoin),
      ...approveToken(carol, 0n),
      ...approveToken(carol, 5n, later),
      ...create(),
    ];
    const { generatedOutputs } = succeeded(body, [input(alice, 1n)], { balances });
    expect(generatedOutputs[0]).toMatchObject({
      kind: 'contract',
      amount: 3n * oneCoin,
      tokens: [
        { id: token, amount: most },
        { id: later, amount: 5n },
      ],
    });
  });
});

describe('any flow of assets', () => {
  const owners = [alice, bob] as const;
  const amounts = fc.constantFrom(0n, 1n, dustAmount, oneCoin, 3n * oneCoin);
  const someone = fc.constantFrom(...owners);
  const step: fc.Arbitrary<Instruction[]> = fc.oneof(
    fc.tuple(someone, amounts).map(([owner, amount]) => approveCoin(owner, amount)),
    fc.tuple(someone, amounts).map(([owner, amount]) => approveToken(owner, amount)),
    fc.tuple(someone, someone, amounts).map(([from, to, amount]) => transferCoin(from, to, amount)),
    fc.constantFrom(0, 1, 2).map((method) => callExternal(vaultId, method)),
    fc.constant<Instruction[]>([...create(), instruction('Pop')]),
    someone.map((owner) => [
      addressConstant(owner),
      u256Constant(blockEnvironment.timestamp + 1n),
      instruction('LockApprovedAssets'),
    ]),
  );
  const sumOf = (outputs: readonly { amount: bigint; tokens: readonly Token[] }[]) => ({
    coin: outputs.reduce((sum, { amount }) => sum + amount, 0n),
    tokens: outputs.flatMap(({ tokens }) => tokens).reduce((sum, { amount }) => sum + amount, 0n),
  });

  it('neither makes nor loses anything when it succeeds', () => {
    const ended = new Set<string>();
    const vault = [
      methodOf([...transferCoin(alice, addressOfContract(vaultId), dustAmount)], { assetModifier: bothAssets }),
      methodOf([...transferCoin(addressOfContract(vaultId), bob, dustAmount)], { assetModifier: contractAssets }),
      methodOf([...approveCoin(alice, dustAmount)], { assetModifier: approvedAssets }),
    ];
    const inputs = owners.map((owner) => input(owner, 20n * oneCoin, [{ id: token, amount: 10n * oneCoin }]));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const layer = worldWith([contractForm(vaultId, vault)]).layer();
        const outcome = execute(steps.flat(), inputs, { layer });
        ended.add(outcome.kind);
        if (outcome.kind !== 'succeeded') return;
        const spent = outcome.contractInputs.map((reference) => layer.contractOutput(reference)!);
        const [before, after] = [sumOf([...inputs, ...spent]), sumOf(outcome.generatedOutputs)];
        expect(after.coin + fee).toBe(before.coin);
        expect(after.tokens).toBe(before.tokens);
      }),
      { numRuns: 300 },
    );
    expect([...ended].sort()).toEqual(['failed', 'succeeded']);
  });
});

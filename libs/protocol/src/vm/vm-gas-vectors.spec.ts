import { describe, expect, it } from '@jest/globals';
import { readVectors, vectorOrigin } from '@shardnode/testing/vectors';
import {
  blockEnvironmentOf,
  readRunVectors,
  runInstruction,
  transactionEnvironmentOf,
  valueOfText,
  worldWith,
} from '@shardnode/testing/vm';
import { bytesToHex, decode, hexToBytes } from '../encoding/index.js';
import {
  gasOfHashing,
  type LockupScript,
  p2pkUnlockGas,
  txBaseGas,
  txInputBaseGas,
  txOutputBaseGas,
} from '../primitives/index.js';
import {
  constantInstruction,
  instructionNamed,
  statefulScriptCodec,
  type StatelessScript,
  statelessScriptCodec,
  type Val,
} from '../script/index.js';
import { newBalanceEntry } from './balance-list.js';
import { outputsOfEntry } from './balance-outputs.js';
import { callContract } from '../dry-run/call-contract.js';
import { ExecutionFailure } from './failure.js';
import { contractUpdateGas, gasOfCode, gasOfContractLoad, gasOfSubContractId } from './gas.js';
import { type RunOutcome } from './run-outcome.js';
import { executeTransactionScript } from './transaction-script-run.js';
import { executeUnlockScript } from './unlock-script-run.js';

const parts = readVectors('vm.json');
const { defaults } = readRunVectors('vm-instructions.json');

/** A part of vm.json. The project's own copy lacks those that may not be copied: undefined there. */
const partOf = <T>(part: string): T | undefined => {
  if (!(part in parts) && vectorOrigin === 'original') throw new Error(`no part ${part}`);
  return parts[part] as T | undefined;
};

const block = blockEnvironmentOf(defaults.env);
const transaction = transactionEnvironmentOf(defaults.tx);
const gasLimit = 625_000;
const signatures = Array.from({ length: 16 }, () => new Uint8Array(64));

const used = (outcome: RunOutcome<object>): number => {
  if (outcome.kind !== 'succeeded') throw new Error(JSON.stringify(outcome));
  return gasLimit - outcome.gasLeft;
};

/** Code and hash charge and the execution, with mocked signature checks. */
const unlockGas = (bytecode: string, parameters: readonly Val[]): number => {
  const script: StatelessScript = decode(statelessScriptCodec, hexToBytes(bytecode));
  const length = bytecode.length / 2;
  const outcome = executeUnlockScript({
    block,
    transaction,
    script,
    parameters,
    gasLimit,
    signatures,
    mocksSignatures: true,
  });
  return gasOfCode(length) + gasOfHashing(length) + used(outcome);
};

const scriptGas = (bytecode: string): number => {
  const outcome = executeTransactionScript({
    block,
    transaction,
    script: decode(statefulScriptCodec, hexToBytes(bytecode)),
    layer: worldWith([]).layer(),
    gasLimit,
    scriptSignatures: signatures,
    mocksSignatures: true,
    endPhase: 'estimate',
  });
  return gasOfCode(bytecode.length / 2) + used(outcome);
};

describe('gas of vm.json', () => {
  it('assetScript', () => {
    const part = partOf<{ bytecode: string; gas: { total: number } }>('assetScript');
    if (part) expect(unlockGas(part.bytecode, [])).toBe(part.gas.total);
  });

  it('gasExecutions', () => {
    interface ExecutionVector {
      kind: string;
      params?: string[];
      bytecode: string;
      gas: number;
    }
    const publicKey = '02'.repeat(33);
    for (const { kind, params = [], bytecode, gas } of partOf<{ cases: ExecutionVector[] }>('gasExecutions')?.cases ??
      []) {
      const parameters = params.map((text) => valueOfText(text.replace('<public key>', publicKey)));
      const got = kind.startsWith('unlock') ? txInputBaseGas + unlockGas(bytecode, parameters) : scriptGas(bytecode);
      expect([bytecode, got]).toEqual([bytecode, gas]);
    }
  });

  it('gasFormulas', () => {
    const bytesOf = (length: number): Val => ({ type: 'ByteVec', value: new Uint8Array(length) });
    const number = (value: bigint): Val => ({ type: 'U256', value });
    const gasOf = (instruction: string, ...operands: Val[]): number =>
      used(runInstruction(instruction, operands, defaults, { gasLimit })) - 2 * operands.length;
    const no: Val = { type: 'Bool', value: false };
    const formulas: Record<string, () => number> = {
      'hash instruction, 33 bytes': () => gasOf('Blake2b', bytesOf(33)),
      'p2pk unlock (hash of 33 bytes + signature)': () => p2pkUnlockGas,
      'contract load, 123 bytes': () => gasOfContractLoad(123),
      'contract state update, one ByteVec of 123 bytes': () => contractUpdateGas + 123,
      'code size charge, 123 bytes': () => gasOfCode(123),
      'code size charge, 4096 bytes': () => gasOfCode(4096),
      'ByteVecEq, top operand 7 bytes': () => gasOf('ByteVecEq', bytesOf(0), bytesOf(7)),
      'ByteVecConcat, result 7 bytes': () => gasOf('ByteVecConcat', bytesOf(3), bytesOf(4)),
      'ByteVecConcat of 123 and 200 bytes': () => gasOf('ByteVecConcat', bytesOf(123), bytesOf(200)),
      'ByteVecSlice 1..10': () => gasOf('ByteVecSlice', bytesOf(20), number(1n), number(10n)),
      'Encode of [true,false,0] (7 bytes)': () =>
        gasOf('Encode', { type: 'Bool', value: true }, no, number(0n), number(3n)),
      // The instruction also pays for joining parent and path.
      'SubContractId with a 32 byte path': () => 3 + 64 + gasOfSubContractId(32),
      'CreateSubContract path part for a 7 byte path': () => gasOfSubContractId(7),
      'transfer transaction: 1 input, 2 outputs, one signature': () =>
        txBaseGas + txInputBaseGas + 2 * txOutputBaseGas + p2pkUnlockGas,
    };
    const cases = partOf<{ cases: { what: string; gas?: number }[] }>('gasFormulas')?.cases ?? [];
    const untested = cases.filter(({ what, gas }) => gas !== undefined && !(what in formulas)).map(({ what }) => what);
    // Their instructions run in vm-instructions.json.
    expect(untested.filter((what) => !/^(field size|CallerAddress|LockApprovedAssets)/.test(what))).toEqual([]);
    for (const { what, gas } of cases) if (what in formulas) expect([what, formulas[what]!()]).toEqual([what, gas]);
  });

  it('gasContractCalls', () => {
    interface ContractCallVectors {
      foo: { bytecode: string };
      bar: { bytecode: string };
      cases: { method: number; gasUsed: number }[];
    }
    const part = partOf<ContractCallVectors>('gasContractCalls');
    if (!part) return;
    const [foo, bar] = ['aa'.repeat(31) + '00', 'bb'.repeat(32)];
    const contract = { imm: [], mut: ['U256 0'], amount: (10n ** 18n).toString() };
    const world = worldWith([
      { ...contract, id: foo, code: part.foo.bytecode, outputKey: '01'.repeat(32) },
      { ...contract, id: bar, code: part.bar.bytecode, outputKey: '02'.repeat(32) },
    ]);
    const owner: LockupScript = { kind: 'p2pkh', publicKeyHash: 'cc'.repeat(32) };
    for (const { method, gasUsed } of part.cases) {
      const outcome = callContract({
        block,
        layer: world.layer(),
        call: {
          transactionId: defaults.tx.txId,
          contractId: foo,
          methodIndex: method,
          args: [],
          callerId: undefined,
          inputAssets: [{ lockupScript: owner, amount: 10n ** 18n, tokens: [] }],
        },
        existingContracts: [],
      });
      expect(outcome).toMatchObject({ kind: 'succeeded', gasUsed });
    }
  });
});

describe('contracts of vm.json', () => {
  it('contractOutput', () => {
    const resultOf = (coin: bigint, tokens: number): string => {
      const held = Array.from({ length: tokens }, (_, i) => ({ id: `${i}0`.repeat(32), amount: 1n }));
      try {
        const outputs = outputsOfEntry(newBalanceEntry({ kind: 'p2c', contractId: 'aa'.repeat(32) }, coin, held));
        return outputs.length === 0 ? 'no output' : 'one output';
      } catch (error) {
        if (error instanceof ExecutionFailure) return error.failure;
        throw error;
      }
    };
    interface OutputVector {
      attoCoin: string;
      tokens: number;
      result: string;
    }
    for (const vector of partOf<{ cases: OutputVector[] }>('contractOutput')?.cases ?? [])
      expect([vector, resultOf(BigInt(vector.attoCoin), vector.tokens)]).toEqual([vector, vector.result]);
  });

  it('creationEvent: the interface that is guessed from the last immutable field', () => {
    const bytesConstant = (hex: string) => constantInstruction({ type: 'ByteVec', value: hexToBytes(hex) });
    const owner = valueOfText(`Address ${defaults.tx.inputs[0]!.address}`);
    /** A contract of one empty method with one immutable field. */
    const code = `010106${'00'.repeat(6)}`;
    const guessed = (field: string): string => {
      const script = {
        methods: [
          {
            isPublic: true,
            assetModifier: 3,
            argsLength: 0,
            localsLength: 0,
            returnLength: 0,
            instructions: [
              constantInstruction(owner),
              constantInstruction({ type: 'U256', value: 10n ** 18n }),
              instructionNamed('ApproveCoin'),
              bytesConstant(code),
              bytesConstant(`01${field}`),
              bytesConstant('00'),
              instructionNamed('CreateContract'),
              instructionNamed('Pop'),
            ],
          },
        ],
      };
      const layer = worldWith([]).layer();
      const outcome = executeTransactionScript({
        block,
        transaction,
        script,
        layer,
        gasLimit,
        scriptSignatures: [],
        endPhase: 'whole',
      });
      if (outcome.kind !== 'succeeded') throw new Error(JSON.stringify(outcome));
      const [event] = outcome.layer.changes().events;
      const last = event!.fields.at(-1)!;
      return last.type === 'ByteVec' ? bytesToHex(last.value) : last.type;
    };
    expect(guessed('0306414c50480001')).toBe('0001');
    expect(guessed('0302414c')).toBe('');
    expect(guessed('0001')).toBe('');
    for (const { lastImmutableField, thirdEventField } of partOf<{
      cases: { lastImmutableField: string; thirdEventField: string }[];
    }>('creationEvent')?.cases ?? [])
      if (/^[0-9a-f]+$/.test(lastImmutableField))
        expect(guessed(`030${lastImmutableField.length / 2}${lastImmutableField}`)).toBe(thirdEventField);
  });
});

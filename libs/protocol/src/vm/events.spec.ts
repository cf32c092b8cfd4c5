import { describe, expect, it } from '@jest/globals';
import { blockEnvironment, instruction, methodOf, repeated, transactionEnvironment } from '@shardnode/testing/builders';
import { fc } from '@shardnode/testing/properties';
import { type Instruction, type Method, type Val } from '../script/index.js';
import { ContractCode, type LogEntry } from '../state/index.js';
import { eventLimits } from './event-budget.js';
import { enterEntryMethod } from './frames.js';
import {
  type BlockEnvironment,
  type CodeObject,
  type ContractObject,
  ExecutionFailure,
  Machine,
  type StatefulRun,
} from './index.js';
import { run } from './run-loop.js';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const debug = (...parts: string[]): Instruction => instruction('DEBUG', parts.map(text));

const noContracts = (): never => {
  throw new Error('these scripts load no contract');
};

/** The state side of a script that loads no contract: it only keeps events. */
const eventsOnly = (entries: LogEntry[]): StatefulRun => ({
  load: noContracts,
  findMethod: noContracts,
  balancesForCall: () => undefined,
  giveBack: () => undefined,
  log: (entry) => void entries.push(entry),
});

interface Ended {
  readonly entries: readonly LogEntry[];
  readonly results: readonly Val[];
  readonly failure: string | undefined;
  readonly gasUsed: number;
}

const gasLimit = 625_000;

const runCode = (code: CodeObject, block: Partial<BlockEnvironment> = {}): Ended => {
  const entries: LogEntry[] = [];
  const machine = new Machine({
    block: { ...blockEnvironment, ...block },
    transaction: transactionEnvironment,
    gasLimit,
    signatures: [],
    stateful: eventsOnly(entries),
    receivesResults: true,
  });
  let failure: string | undefined;
  try {
    enterEntryMethod(machine, code, [], undefined);
    run(machine);
  } catch (error) {
    if (!(error instanceof ExecutionFailure)) throw error;
    failure = error.failure;
  }
  return { entries, results: machine.results, failure, gasUsed: gasLimit - machine.gasLeft };
};

const runScript = (methods: readonly Method[], block?: Partial<BlockEnvironment>): Ended =>
  runCode({ kind: 'script', methods }, block);

const messages = ({ entries }: Ended): string[] =>
  entries.map(({ fields }) => new TextDecoder().decode((fields[0] as Val & { type: 'ByteVec' }).value));

describe('DEBUG', () => {
  it('puts the texts of the values between its parts, under the zero id in a script', () => {
    const ended = runScript([
      methodOf([
        instruction('ConstTrue'),
        instruction('I256ConstN1'),
        instruction('BytesConst', Uint8Array.of(1, 0xfe)),
        debug('a ', ' b ', ' c ', ''),
      ]),
    ]);
    expect(messages(ended)).toEqual(['a true b -1 c 01fe']);
    expect(ended.entries[0]).toMatchObject({
      contractId: '0'.repeat(64),
      eventIndex: -3,
      transactionId: transactionEnvironment.id,
    });
  });

  it('is refused on the main network and without a message', () => {
    expect(runScript([methodOf([debug('a')])], { networkId: 0 }).failure).toBe('DebugIsNotSupportedForMainnet');
    expect(runScript([methodOf([debug()])]).failure).toBe('DebugMessageIsEmpty');
    expect(runScript([methodOf([debug('a', 'b')])]).failure).toBe('StackUnderflow');
  });

  it('writes nothing where there is no block hash', () => {
    expect(runScript([methodOf([debug('a')])], { blockHash: undefined })).toMatchObject({ entries: [], gasUsed: 0 });
  });

  it('keeps the first messages of many', () => {
    const loop = [instruction('ConstTrue'), ...repeated(1000, [debug('x')]), instruction('Jump', -1001)];
    const ended = runScript([methodOf([...loop])]);
    expect(ended.failure).toBe('OutOfGas');
    expect(messages(ended)).toEqual(Array.from({ length: eventLimits.debugMessages }, () => 'x'));
  });

  it('keeps no message from the first that is too long on', () => {
    const zeros = [instruction('U256Const', 4096n), instruction('Zeros')];
    const long = [...zeros, ...repeated(4, [instruction('Dup'), instruction('ByteVecConcat')])];
    const ended = runScript([methodOf([debug('before'), ...long, debug('', ''), debug('after')])]);
    expect(ended.failure).toBeUndefined();
    expect(messages(ended)).toEqual(['before']);
  });
});

describe('logs', () => {
  it('of a script pop their fields and write nothing', () => {
    const one = instruction('I256Const1');
    expect(runScript([methodOf([one, one, instruction('Log2')])])).toMatchObject({ entries: [], gasUsed: 144 });
    expect(runScript([methodOf([one, instruction('Log2')])]).failure).toBe('StackUnderflow');
  });

  it.each([
    [{ type: 'I256', value: -128n }, [-128]],
    [{ type: 'I256', value: 127n }, [127]],
    [{ type: 'I256', value: 128n }, []],
    [{ type: 'I256', value: -129n }, []],
    [{ type: 'U256', value: 1n }, []],
  ] as [Val, number[]][])('are dropped when %j is no event index', (index, written) => {
    const entries: LogEntry[] = [];
    const machine = new Machine({
      block: blockEnvironment,
      transaction: transactionEnvironment,
      gasLimit,
      signatures: [],
      stateful: eventsOnly(entries),
    });
    machine.log('ab'.repeat(32), [index, { type: 'Bool', value: true }]);
    expect(entries.map((entry) => entry.eventIndex)).toEqual(written);
    expect(entries.every((entry) => entry.fields.length === 1)).toBe(true);
  });
});

describe('logs of a contract', () => {
  const id = 'ab'.repeat(32);
  const contractOf = (method: Method): ContractObject => {
    const code = ContractCode.of({ fieldLength: 0, methods: [method] });
    const { methods } = code.contract;
    const record = { mutableFields: [], outputReference: { hint: 1, key: id }, immutableStateHash: id };
    const immutableState = { codeHash: code.hash, initialStateHash: id, immutableFields: [] };
    const fields = { immutableFields: [], mutableFields: [], loadedMutableFields: [] };
    return { kind: 'contract', id, code, methods, record, output: undefined, immutableState, ...fields };
  };

  it('keep index and fields in order under its id', () => {
    const body = [instruction('I256Const5'), instruction('ConstTrue'), instruction('U256Const2'), instruction('Log3')];
    expect(runCode(contractOf(methodOf(body))).entries).toEqual([
      {
        contractId: id,
        transactionId: transactionEnvironment.id,
        eventIndex: 5,
        fields: [
          { type: 'Bool', value: true },
          { type: 'U256', value: 2n },
        ],
      },
    ]);
  });

  it('repeat a long byte string only as often as the bytes of one run allow', () => {
    const length = 100_000;
    const body = [
      instruction('BytesConst', new Uint8Array(length)),
      instruction('StoreLocal', 0),
      ...repeated(20, [instruction('I256Const1'), instruction('LoadLocal', 0), instruction('Log2')]),
      instruction('I256Const2'),
      instruction('Log1'),
    ];
    const ended = runCode(contractOf(methodOf(body, { localsLength: 1 })));
    const kept = Math.floor(eventLimits.eventBytes / (length + 32));
    expect(ended.failure).toBeUndefined();
    expect(ended.entries.map(({ eventIndex }) => eventIndex)).toEqual([...Array<number>(kept).fill(1), 2]);
  });
});

describe('instructions that cost nothing', () => {
  const selector = instruction('MethodSelector', 7);
  const real = fc.constantFrom(
    instruction('U256Const1'),
    instruction('U256Const2'),
    instruction('U256Add'),
    instruction('Dup'),
    instruction('Pop'),
  );
  const idle = fc.constantFrom(selector, debug('m'));
  const bodies = fc.array(fc.tuple(real, fc.array(idle, { maxLength: 4 })), { maxLength: 20 });

  it('change no result and no gas, however many stand together', () => {
    fc.assert(
      fc.property(bodies, fc.option(fc.constant('b1'.repeat(32)), { nil: undefined }), (body, blockHash) => {
        const returning = { returnLength: 1 };
        const plain = runScript(
          [
            methodOf(
              body.map(([instr]) => instr),
              returning,
            ),
          ],
          { blockHash },
        );
        const mixed = runScript(
          [
            methodOf(
              body.flatMap(([instr, more]) => [instr, ...more]),
              returning,
            ),
          ],
          { blockHash },
        );
        expect({ ...mixed, entries: [] }).toEqual({ ...plain, entries: [] });
        const executed = plain.failure === undefined || plain.failure === 'StackUnderflow';
        expect(executed).toBe(true);
        if (plain.failure === undefined) {
          const written = body.flatMap(([, more]) => more.filter((instr) => instr !== selector));
          expect(mixed.entries).toHaveLength(blockHash === undefined ? 0 : written.length);
        }
      }),
    );
  });

  it('are entered in the middle by jumps', () => {
    const ended = runScript([
      methodOf(
        [instruction('U256Const1'), instruction('Jump', 2), selector, selector, selector, debug('m'), selector],
        { returnLength: 1 },
      ),
    ]);
    expect(ended).toMatchObject({ results: [{ type: 'U256', value: 1n }], gasUsed: 10, failure: undefined });
    expect(messages(ended)).toEqual(['m']);
  });

  it('still fail where they must, behind messages that are not kept', () => {
    const many = repeated(eventLimits.debugMessages + 5, [debug('x')]);
    expect(runScript([methodOf([...many, debug()])]).failure).toBe('DebugMessageIsEmpty');
  });
});

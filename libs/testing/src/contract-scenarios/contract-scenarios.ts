import { expect } from '@jest/globals';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { maxCodeSize, type OutputReference, outputReferenceCodec, targetValue } from '@shardnode/protocol/primitives';
import { contractCodec, statefulScriptCodec } from '@shardnode/protocol/script';
import {
  changesOfEffects,
  ContractCode,
  type ContractLayer,
  contractRecordCodec,
  hasOutput,
  initialStateHashOf,
  type LogEntry,
  outputOfStateValue,
  outputStateValue,
  readOutput,
  referenceOfKey,
  stateHash,
  type TransactionEffects,
} from '@shardnode/protocol/state';
import {
  type AssetOutput,
  type Output,
  outputCodec,
  referenceOf,
  transactionId,
  type UnsignedTransaction,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { failedScriptOutputs } from '@shardnode/protocol/validation';
import { type BlockEnvironment, executeTransactionScript, failureText, gasOfCode } from '@shardnode/protocol/vm';
import { MemoryContractState } from '../contract-state/index.js';
import { readVectors } from '../vectors/index.js';
import { valueOfText, valueText } from '../vm/index.js';

const groups = 4;
const networkId = 4;

interface RootsForm {
  readonly outputRoot: string;
  readonly contractRoot: string;
  readonly codeRoot: string;
  readonly stateHash: string;
}

interface EventForm {
  readonly contractId: string;
  readonly page: number;
  readonly offset: number;
  readonly index: number;
  readonly fields: readonly string[];
}

interface TransactionForm {
  readonly note?: string;
  readonly unsignedTx: string;
  readonly txId: string;
  readonly script: string;
  readonly gasLimit: number;
  readonly scriptSignatures?: readonly string[];
  readonly result: string;
  readonly text?: string;
  readonly gasUsed?: number;
  readonly contractInputs?: readonly string[];
  readonly generatedOutputs?: readonly string[];
  readonly events?: readonly EventForm[];
  readonly notInBlock?: boolean;
  readonly breaking?: boolean;
}

interface ContractStateForm {
  readonly id: string;
  readonly exists?: false;
  readonly codeHash: string;
  readonly initialStateHash: string;
  readonly imm: readonly string[];
  readonly mut: readonly string[];
  readonly record: string;
  readonly output: string;
}

interface BlockForm {
  readonly timestamp: number;
  readonly target: string;
  readonly blockHash: string | null;
  readonly txs: readonly TransactionForm[];
  readonly contractsChanged: readonly ContractStateForm[];
  readonly roots: RootsForm;
}

/** A scenario of `contract-scenarios.json`: contracts at the start, then blocks of transactions with scripts. */
export interface ContractScenario {
  readonly name: string;
  readonly group: number;
  readonly codes: { readonly [name: string]: { readonly bytecode: string; readonly codeHash: string } };
  readonly initial: {
    readonly contracts: readonly {
      readonly id: string;
      readonly code: string;
      readonly imm: readonly string[];
      readonly mut: readonly string[];
      readonly outputRef: string;
      readonly output: string;
    }[];
    readonly outputs: readonly { readonly ref: string; readonly output: string }[];
    readonly roots: RootsForm;
  };
  readonly blocks: readonly BlockForm[];
}

const referenceOfHex = (hex: string): OutputReference => referenceOfKey(hexToBytes(hex));
const outputHex = (output: Output): string => bytesToHex(encode(outputCodec, output));

const outputOf = <Kind extends Output['kind']>(hex: string, kind: Kind): Extract<Output, { kind: Kind }> => {
  const output = outputOfStateValue(hexToBytes(hex));
  if (output.kind !== kind) throw new Error(`no ${kind} output: ${hex}`);
  return output as Extract<Output, { kind: Kind }>;
};

/** The state before the first block. */
const initialWorld = ({ codes, initial }: ContractScenario): MemoryContractState => {
  const world = new MemoryContractState();
  const layer = world.layer();
  for (const { id, code, imm, mut, outputRef, output } of initial.contracts) {
    const contractCode = ContractCode.of(decode(contractCodec, hexToBytes(codes[code]!.bytecode)));
    expect(contractCode.hash).toBe(codes[code]!.codeHash);
    const [immutableFields, mutableFields] = [imm.map(valueOfText), mut.map(valueOfText)];
    layer.putCode(contractCode);
    const immutableStateHash = layer.putImmutableState({
      codeHash: contractCode.hash,
      initialStateHash: initialStateHashOf(contractCode.hash, immutableFields, mutableFields),
      immutableFields,
    });
    const outputReference = referenceOfHex(outputRef);
    layer.putRecord(id, { mutableFields, outputReference, immutableStateHash });
    layer.putOutput(outputReference, outputOf(output, 'contract'));
  }
  const added = initial.outputs.map(({ ref, output }) => ({
    reference: referenceOfHex(ref),
    output: outputOf(output, 'asset'),
  }));
  world.apply(layer.changes(), { removed: [], added });
  return world;
};

const rootsOf = ({ state }: MemoryContractState): RootsForm => ({ ...state, stateHash: stateHash(state) });

/** How a script ended, without what it did to contracts. */
interface ScriptEnd {
  readonly result: string;
  readonly text?: string | undefined;
  readonly breaking?: boolean;
  readonly gasUsed?: number;
  readonly contractInputs: readonly OutputReference[];
  readonly generatedOutputs: readonly Output[];
}

const nothing = { contractInputs: [], generatedOutputs: [] };

const runScript = (
  form: TransactionForm,
  unsigned: UnsignedTransaction,
  inputs: readonly AssetOutput[],
  block: BlockEnvironment,
  layer: ContractLayer,
): ScriptEnd => {
  const script = unsigned.script!;
  const size = encode(statefulScriptCodec, script).length;
  if (size > maxCodeSize) {
    return { result: 'CodeSizeTooLarge', text: failureText('CodeSizeTooLarge', [size]), gasUsed: 0, ...nothing };
  }
  const gasLimit = form.gasLimit - gasOfCode(size);
  if (gasLimit < 0) return { result: 'OutOfGas', gasUsed: 0, ...nothing };
  const { gasAmount, gasPrice, fixedOutputs } = unsigned;
  const outcome = executeTransactionScript({
    block,
    transaction: { id: form.txId, gasAmount, gasPrice, inputs, fixedOutputs },
    script,
    layer,
    gasLimit,
    scriptSignatures: (form.scriptSignatures ?? []).map(hexToBytes),
    endPhase: 'whole',
  });
  switch (outcome.kind) {
    case 'aborted':
      return { result: 'abort', ...nothing };
    case 'succeeded':
      outcome.layer.keep();
      return { ...outcome, result: 'success', gasUsed: form.gasLimit - outcome.gasLeft };
    default:
      return {
        result: outcome.failure.failure,
        text: outcome.failure.text().replaceAll('{COIN}', 'COIN').replaceAll('{coin}', 'coin'),
        breaking: outcome.kind === 'inactiveInstruction',
        gasUsed: form.gasLimit - outcome.gasLeft,
        ...nothing,
      };
  }
};

/** Replays a scenario and compares every recorded value. */
class ScenarioRun {
  readonly world: MemoryContractState;
  private readonly pageCounts = new Map<string, number>();

  constructor(private readonly scenario: ContractScenario) {
    this.world = initialWorld(scenario);
    expect(rootsOf(this.world)).toEqual(scenario.initial.roots);
  }

  run(form: BlockForm): void {
    const layer = this.world.layer();
    const effects = form.txs.flatMap((transaction) => this.runTransaction(transaction, form, layer));
    const changes = layer.changes();
    this.checkEvents(form, changes.events);
    const { outputRoot } = this.world.state;
    const outputs = changesOfEffects(
      this.scenario.group,
      groups,
      [
        {
          chainIndex: { from: this.scenario.group, to: this.scenario.group },
          timestamp: BigInt(form.timestamp),
          transactions: effects,
        },
      ],
      (reference) => hasOutput(this.world.nodes, outputRoot, reference),
    );
    this.world.apply(changes, outputs);
    for (const contract of form.contractsChanged) this.checkContract(contract);
    expect(rootsOf(this.world)).toEqual(form.roots);
  }

  private runTransaction(form: TransactionForm, block: BlockForm, layer: ContractLayer): TransactionEffects[] {
    const unsigned = decode(unsignedTransactionCodec, hexToBytes(form.unsignedTx));
    expect(transactionId(unsigned)).toBe(form.txId);
    expect(bytesToHex(encode(statefulScriptCodec, unsigned.script!))).toBe(form.script);
    const inputs = unsigned.inputs.map(
      ({ outputReference }) =>
        readOutput(this.world.nodes, this.world.state.outputRoot, outputReference) as AssetOutput,
    );
    const end = runScript(form, unsigned, inputs, this.environmentOf(block), layer);
    expect([form.note, end.result, end.gasUsed, end.breaking ?? false]).toEqual([
      form.note,
      form.result,
      form.gasUsed,
      form.breaking ?? false,
    ]);
    if (form.text !== undefined) expect(end.text).toBe(form.text);
    const refund = end.result === 'success' ? undefined : failedScriptOutputs(unsigned, inputs);
    if (form.notInBlock) {
      expect(end.result === 'abort' || end.breaking || refund === undefined).toBe(true);
      return [];
    }
    const generatedOutputs = refund ?? end.generatedOutputs;
    expect(generatedOutputs.map(outputHex)).toEqual(form.generatedOutputs);
    expect(end.contractInputs.map((reference) => bytesToHex(encode(outputReferenceCodec, reference)))).toEqual(
      form.contractInputs ?? [],
    );
    const outputs = [...unsigned.fixedOutputs, ...generatedOutputs];
    return [
      {
        inputs: unsigned.inputs.map(({ outputReference }) => outputReference),
        contractInputs: end.contractInputs,
        outputs: outputs.map((output, index) => ({ reference: referenceOf(output, form.txId, index), output })),
      },
    ];
  }

  private environmentOf({ timestamp, target, blockHash }: BlockForm): BlockEnvironment {
    return {
      networkId,
      timestamp: BigInt(timestamp),
      target: targetValue(Number.parseInt(target, 16)),
      blockHash: blockHash ?? undefined,
      group: this.scenario.group,
    };
  }

  /** The entries of a contract in a block are one page; pages of a contract are counted (protocol 05 §13.1). */
  private checkEvents(form: BlockForm, entries: readonly LogEntry[]): void {
    const offsets = new Map<string, number>();
    const placed = entries.map(({ contractId, transactionId: id, eventIndex, fields }) => {
      const offset = offsets.get(contractId) ?? 0;
      offsets.set(contractId, offset + 1);
      const page = this.pageCounts.get(contractId) ?? 0;
      return { id, event: { contractId, page, offset, index: eventIndex, fields: fields.map(valueText) } };
    });
    for (const contractId of offsets.keys()) {
      this.pageCounts.set(contractId, (this.pageCounts.get(contractId) ?? 0) + 1);
    }
    for (const { txId, note, events } of form.txs) {
      const own = placed.filter(({ id }) => id === txId).map(({ event }) => event);
      expect([note, own]).toEqual([note, events ?? []]);
    }
  }

  private checkContract(form: ContractStateForm): void {
    const layer = this.world.layer();
    if (form.exists === false) return expect(layer.exists(form.id)).toBe(false);
    const record = layer.record(form.id)!;
    const immutableState = layer.immutableState(record.immutableStateHash);
    expect(bytesToHex(encode(contractRecordCodec, record))).toBe(form.record);
    expect(bytesToHex(outputStateValue(layer.contractOutput(record.outputReference)!))).toBe(form.output);
    expect({
      codeHash: layer.code(immutableState.codeHash).hash,
      initialStateHash: immutableState.initialStateHash,
      imm: immutableState.immutableFields.map(valueText),
      mut: record.mutableFields.map(valueText),
    }).toEqual({
      codeHash: form.codeHash,
      initialStateHash: form.initialStateHash,
      imm: form.imm,
      mut: form.mut,
    });
  }
}

/** The scenarios of `contract-scenarios.json` or `contract-scenarios-2.json`. */
export const contractScenarios = (file: string): readonly ContractScenario[] =>
  readVectors<{ readonly scenarios: readonly ContractScenario[] }>(file).scenarios;

/** Replays a scenario on the machine: results, gas, outputs, events, contracts and roots are as recorded. */
export const expectScenario = (scenario: ContractScenario): void => {
  const run = new ScenarioRun(scenario);
  for (const block of scenario.blocks) run.run(block);
};

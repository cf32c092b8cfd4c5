import { constantInstruction, instructionNamed, type StatelessScript, type Val } from '@shardnode/protocol/script';
import { executeUnlockScript, type RunOutcome, type UnlockScriptResult } from '@shardnode/protocol/vm';
import { type ArithmeticMatrix, type RunVectors } from './run-vectors.js';
import { blockEnvironmentOf, transactionEnvironmentOf } from './run-world.js';
import { valueOfText, valueText } from './value-texts.js';

/** Gas of pushing an operand. */
const constantGas = 2;

/** An unlock script that pushes constants and runs one instruction on them. */
const scriptOf = (operands: readonly Val[], instruction: string, returnLength: number): StatelessScript => ({
  methods: [
    {
      isPublic: true,
      assetModifier: 0,
      argsLength: 0,
      localsLength: 0,
      returnLength,
      instructions: [...operands.map(constantInstruction), instructionNamed(instruction)],
    },
  ],
});

/** Runs one instruction without operand bytes on operands that are pushed before. */
export const runInstruction = (
  instruction: string,
  operands: readonly Val[],
  defaults: RunVectors['defaults'],
  options: { readonly gasLimit?: number; readonly returnLength?: number } = {},
): RunOutcome<UnlockScriptResult> =>
  executeUnlockScript({
    block: blockEnvironmentOf(defaults.env),
    transaction: transactionEnvironmentOf(defaults.tx),
    script: scriptOf(operands, instruction, options.returnLength ?? 1),
    parameters: [],
    gasLimit: options.gasLimit ?? 625_000,
    signatures: [],
    receivesResults: true,
  });

const rowOf = (outcome: RunOutcome<UnlockScriptResult>, operands: number): readonly [string, number?] => {
  if (outcome.kind === 'aborted') return ['abort'];
  if (outcome.kind !== 'succeeded') return [outcome.failure.failure];
  return [valueText(outcome.results[0]!), 625_000 - outcome.gasLeft - constantGas * operands];
};

/** The rows of a matrix that the machine answers otherwise: the row, and what the machine gives. */
export const matrixDifferences = (
  instruction: string,
  { operandTypes, resultType, gas, cases }: ArithmeticMatrix,
  defaults: RunVectors['defaults'],
): unknown[] =>
  cases.flatMap((row) => {
    const texts = row.slice(0, operandTypes.length);
    const operands = texts.map((text, i) => valueOfText(`${operandTypes[i]} ${text}`));
    const result = row[operandTypes.length] as string;
    const isValue = /^(-?\d+|true|false)$/.test(result);
    const expected = isValue ? [`${resultType} ${result}`, gas ?? row.at(-1)] : [result];
    const got = rowOf(runInstruction(instruction, operands, defaults), operands.length);
    return JSON.stringify(got) === JSON.stringify(expected) ? [] : [{ row, got }];
  });

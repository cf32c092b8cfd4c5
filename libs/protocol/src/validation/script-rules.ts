import { encode, sameBytes } from '../encoding/index.js';
import { maxCodeSize, referenceId, scriptBaseGas } from '../primitives/index.js';
import { type StatefulScript, statefulScriptCodec } from '../script/index.js';
import { type Output, outputCodec } from '../transaction/index.js';
import { failedBeforeRun } from './execution-refusal.js';
import { failedScriptOutputs } from './failed-script.js';
import { type Refusal, type Rule, type Verdict } from './outcome.js';
import { grouped, required } from './rule-tables.js';
import { type TransactionScriptOutcome } from './script-executor.js';
import { type TransactionExamination } from './transaction-context.js';

/** Bytes of the canonical script, for its code charge (protocol 02 §2.1). */
export const codeSizeOf = (script: StatefulScript): number => encode(statefulScriptCodec, script).length;

const failed = (failure: Refusal): TransactionScriptOutcome => ({ kind: 'failed', failure });

/** The code charge of 9.6 point 1, then the run. */
export const runScript = (
  { transaction, previousOutputs, gasLeft, executor }: TransactionExamination,
  script: StatefulScript,
): TransactionScriptOutcome => {
  const size = codeSizeOf(script);
  if (size > maxCodeSize) return failed(failedBeforeRun('CodeSizeTooLarge', size));
  const gasLimit = gasLeft - scriptBaseGas - size;
  if (gasLimit < 0) return failed(failedBeforeRun('OutOfGas'));
  return executor.runTransactionScript({ transaction, previousOutputs, gasLimit });
};

const executeScript = (examination: TransactionExamination): Verdict => {
  const { script } = examination.transaction.unsigned;
  if (script === undefined) return undefined;
  const outcome = runScript(examination, script);
  examination.scriptOutcome = outcome;
  if (outcome.kind === 'failed') examination.onFailedScript?.(outcome.failure);
  return outcome.kind === 'aborted' ? outcome.failure : undefined;
};

const sameOutputs = (a: readonly Output[], b: readonly Output[]): boolean =>
  a.length === b.length && a.every((output, i) => sameBytes(encode(outputCodec, output), encode(outputCodec, b[i]!)));

const usedContractInputsAsWritten = ({ scriptOutcome, transaction }: TransactionExamination): boolean =>
  scriptOutcome?.kind !== 'succeeded' ||
  (scriptOutcome.contractInputs.length === transaction.contractInputs.length &&
    scriptOutcome.contractInputs.every(
      (reference, i) => referenceId(reference) === referenceId(transaction.contractInputs[i]!),
    ));

const generatedOutputsAsWritten = ({ scriptOutcome, transaction }: TransactionExamination): boolean =>
  scriptOutcome?.kind !== 'succeeded' || sameOutputs(scriptOutcome.generatedOutputs, transaction.generatedOutputs);

/** Decision 4 of document 00: only a successful script may spend outputs of contracts. */
const takesNothingFromContracts = ({ scriptOutcome, transaction }: TransactionExamination): boolean =>
  scriptOutcome?.kind === 'succeeded' || transaction.contractInputs.length === 0;

/** Decision 4 of document 00: no generated outputs without a script, those of 10.2 after a failed one. */
const generatesOnlyWhatGoesBack = ({
  scriptOutcome,
  transaction,
  previousOutputs,
}: TransactionExamination): boolean => {
  if (scriptOutcome?.kind === 'succeeded') return true;
  if (scriptOutcome === undefined) return transaction.generatedOutputs.length === 0;
  const expected = failedScriptOutputs(transaction.unsigned, previousOutputs);
  return expected !== undefined && sameOutputs(expected, transaction.generatedOutputs);
};

/** Why a transaction between groups cannot have a script. */
export const scriptBetweenGroups = ({ chainIndex: { from, to } }: TransactionExamination): string =>
  `it has a script and pays from group ${from} to group ${to}: a script runs within one group only, so send the coins in a transaction of their own`;

/** The script and its results in the transaction: the last rules, in this order (protocol 02 §9.6, 19). */
export const scriptChecks: readonly Rule<TransactionExamination>[] = [
  required(
    'UnexpectedTxScript',
    ({ transaction, intraGroup }) => intraGroup || transaction.unsigned.script === undefined,
    scriptBetweenGroups,
  ),
  grouped('execution', executeScript),
  required(
    'UsingBreakingInstrs',
    ({ scriptOutcome }) => scriptOutcome?.kind !== 'inactiveInstruction',
    () => 'its script uses an instruction that is not active',
  ),
  required('InvalidContractInputs', usedContractInputsAsWritten),
  required('InvalidGeneratedOutputs', generatedOutputsAsWritten),
  required(
    'InvalidScriptExecutionFlag',
    ({ transaction, scriptOutcome }) => transaction.scriptExecutionOk === (scriptOutcome?.kind !== 'failed'),
  ),
  required('InvalidContractInputs', takesNothingFromContracts),
  required('InvalidGeneratedOutputs', generatesOnlyWhatGoesBack),
];

import { type SignatureVerifier } from '../crypto/index.js';
import { type NetworkSettings } from '../network/index.js';
import {
  amountText,
  type ChainIndex,
  groupOfLockupScript,
  groupOfReference,
  maxCodeSize,
  scriptBaseGas,
} from '../primitives/index.js';
import { type StatefulScript } from '../script/index.js';
import { type OutputView } from '../state/index.js';
import { type Transaction, type TransactionTemplate, type UnsignedTransaction } from '../transaction/index.js';
import {
  beginExamination,
  checksBeforeScript,
  checkTransaction,
  codeSizeOf,
  existenceCheck,
  failedBeforeRun,
  feeOf,
  firstRefusal,
  networkChecks,
  placeOf,
  type Refusal,
  refuse,
  scriptBetweenGroups,
  type ScriptExecutor,
  toFailedForm,
  type TransactionContext,
  type TransactionExamination,
  type Verdict,
} from '../validation/index.js';

/** Context of admission: the view with the mempool, and the current time in milliseconds. */
export interface AdmissionContext {
  readonly settings: NetworkSettings;
  readonly view: OutputView;
  readonly now: bigint;
  readonly verifySignature: SignatureVerifier;
  /** Runs scripts on the contracts of the view, in a block environment without hash. */
  readonly executor: ScriptExecutor;
}

const inputGroupsDetail = ({ inputs }: UnsignedTransaction, groups: number): string => {
  const groupOf = inputs.map((input) => groupOfReference(input.outputReference, groups));
  const other = groupOf.findIndex((group) => group !== groupOf[0]);
  const place = placeOf('input', other, inputs.length);
  return `input 1 is of group ${groupOf[0]}, ${place} is of group ${groupOf[other]}: all inputs must be of one group; make one transaction for each group`;
};

/**
 * The chain of a template (protocol 02 §9.7 step 1), or the refusal: InvalidInputGroupIndex without inputs or with
 * inputs of several groups, InvalidOutputGroupIndex with outputs to two other groups.
 */
export const admissionChainIndex = ({ unsigned }: TransactionTemplate, groups: number): ChainIndex | Refusal => {
  const inputGroups = new Set(unsigned.inputs.map((input) => groupOfReference(input.outputReference, groups)));
  const [from] = inputGroups;
  if (from === undefined)
    return refuse('InvalidInputGroupIndex', 'it has no inputs: it must spend at least one output');
  if (inputGroups.size > 1) return refuse('InvalidInputGroupIndex', inputGroupsDetail(unsigned, groups));
  const others = new Set(unsigned.fixedOutputs.map((output) => groupOfLockupScript(output.lockupScript, groups)));
  others.delete(from);
  if (others.size > 1) {
    const detail = `its outputs go to groups ${[...others].join(' and ')} besides group ${from} of its inputs: make one transaction for each group`;
    return refuse('InvalidOutputGroupIndex', detail);
  }
  const [to] = others;
  return { from, to: to ?? from };
};

/** The block form of a template without script (protocol 02 §9.7 step 2). */
export const completeTemplate = (template: TransactionTemplate): Transaction => ({
  unsigned: template.unsigned,
  inputSignatures: template.inputSignatures,
  scriptSignatures: template.scriptSignatures,
  scriptExecutionOk: true,
  contractInputs: [],
  generatedOutputs: [],
});

/** Whether the mempool accepts the template (protocol 02 §9.7). */
export const checkAdmission = (template: TransactionTemplate, admission: AdmissionContext): Verdict => {
  const chainIndex = admissionChainIndex(template, admission.settings.groups);
  if ('code' in chainIndex) return chainIndex;
  const { now: timestamp, ...rest } = admission;
  const transaction = completeTemplate(template);
  const context: TransactionContext = { ...rest, transaction, chainIndex, timestamp, kind: 'mempool' };
  const { script } = template.unsigned;
  return script ? checkScriptAdmission(context, script) : checkTransaction(context);
};

/**
 * Steps 3 a to c: a script transaction must be able to pay its fee if its script fails. The network comes first, as it
 * does without a script: on another one its inputs are missing, too, which would be the symptom and not the reason.
 */
const checkScriptAdmission = (context: TransactionContext, script: StatefulScript): Verdict => {
  const examination = beginExamination(context);
  const missing = firstRefusal([...networkChecks, existenceCheck], examination);
  if (missing) return missing;
  const failedForm = toFailedForm(context.transaction, examination.previousOutputs);
  if (!failedForm) {
    const fee = amountText(feeOf(context.transaction.unsigned));
    const detail = `its first input must pay the gas fee of ${fee} even if the script fails, and cannot: send less, or use more inputs`;
    return refuse('InvalidRemainingBalancesForFailedScriptTx', detail);
  }
  const failedExamination = beginExamination({ ...context, transaction: failedForm });
  return firstRefusal(checksBeforeScript, failedExamination) ?? checkDryRun(examination, script);
};

const scriptFailed = (failure: Refusal): Refusal => ({
  code: 'TxScriptExeFailed',
  detail: 'its script fails',
  reason: failure,
});

const noGasForScript = (gasAmount: number, size: number): Refusal =>
  refuse(
    'OutOfGas',
    `its gas amount of ${gasAmount} leaves too little for its script of ${size} bytes: build it with more gas, or without a gas amount`,
  );

/**
 * Steps 3 d to f: the script must succeed now with the remaining gas of the transaction. Two additional refusals
 * (decision 15): a script over the code size, and one on an inter-group chain, which no block can contain.
 */
const checkDryRun = (examination: TransactionExamination, script: StatefulScript): Verdict => {
  const { transaction, previousOutputs, executor, intraGroup } = examination;
  const size = codeSizeOf(script);
  if (size > maxCodeSize) return scriptFailed(failedBeforeRun('CodeSizeTooLarge', size));
  const gasLimit = transaction.unsigned.gasAmount - scriptBaseGas - size;
  if (gasLimit < 0) return noGasForScript(transaction.unsigned.gasAmount, size);
  const outcome = executor.runTransactionScript({ transaction, previousOutputs, gasLimit });
  if (outcome.kind !== 'succeeded') return scriptFailed(outcome.failure);
  const { contractInputs, generatedOutputs } = outcome;
  // Not of kind mempool: the inputs were found to be distinct in the failed form.
  const successful = beginExamination({
    ...examination,
    transaction: { ...transaction, contractInputs, generatedOutputs },
    kind: 'block',
  });
  const refusal = firstRefusal(checksBeforeScript, successful);
  if (refusal) return refusal;
  const gasLeft = successful.gasLeft - scriptBaseGas - size;
  if (gasLeft < 0) return noGasForScript(transaction.unsigned.gasAmount, size);
  if (gasLeft < gasLimit - outcome.gasLeft) return scriptFailed(failedBeforeRun('OutOfGas'));
  return intraGroup ? undefined : refuse('UnexpectedTxScript', scriptBetweenGroups(examination));
};

import { type Transaction, type TransactionTemplate } from '../transaction/index.js';
import { completeTemplate } from '../policy/index.js';
import {
  beginExamination,
  checksBeforeScript,
  existenceCheck,
  failureOf,
  firstRefusal,
  type Refusal,
  refuse,
  runScript,
  toFailedForm,
  type TransactionContext,
} from '../validation/index.js';

/** A script transaction in its block form, or why our blocks cannot contain it. */
export type Completion =
  | { readonly kind: 'completed'; readonly transaction: Transaction; readonly keep: () => void }
  | { readonly kind: 'unminable'; readonly refusal: Refusal };

const unminable = (refusal: Refusal): Completion => ({ kind: 'unminable', refusal });
const nothingToKeep = (): void => undefined;

/**
 * Runs the script of a template on the contracts after earlier transactions of the block, without the block hash, which
 * is not known yet (protocol 02 §14.2, 05 §8.4). The script has the gas that validation leaves it, so a success here is
 * a success in the block. A failing script is mined in its failed form and pays its fee. A script that reads the block
 * hash could end differently in the block and is excluded.
 */
export const completeScript = (
  template: TransactionTemplate,
  surroundings: Omit<TransactionContext, 'transaction' | 'kind'>,
): Completion => {
  const context: TransactionContext = { ...surroundings, transaction: completeTemplate(template), kind: 'block' };
  const spent = beginExamination(context);
  const missing = firstRefusal([existenceCheck], spent);
  if (missing) return unminable(missing);
  const failedForm = toFailedForm(template, spent.previousOutputs);
  if (!failedForm) return unminable(refuse('InvalidRemainingBalancesForFailedScriptTx'));
  const examination = beginExamination({ ...context, transaction: failedForm });
  const invalid = firstRefusal(checksBeforeScript, examination);
  if (invalid) return unminable(invalid);
  const outcome = runScript(examination, template.unsigned.script!);
  switch (outcome.kind) {
    case 'succeeded': {
      const { contractInputs, generatedOutputs, keep } = outcome;
      return { kind: 'completed', transaction: { ...context.transaction, contractInputs, generatedOutputs }, keep };
    }
    case 'failed':
      return failureOf(outcome.failure)?.failure === 'NoBlockHashAvailable'
        ? unminable({ code: 'TxScriptExeFailed', reason: outcome.failure })
        : { kind: 'completed', transaction: failedForm, keep: nothingToKeep };
    case 'inactiveInstruction':
    case 'aborted':
      return unminable({ code: 'TxScriptExeFailed', reason: outcome.failure });
  }
};

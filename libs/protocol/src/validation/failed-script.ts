import { type AssetLockupScript } from '../primitives/index.js';
import { type StatefulScript, usesApprovedAssets } from '../script/index.js';
import {
  type AssetOutput,
  type Output,
  type Transaction,
  type TransactionTemplate,
  type UnsignedTransaction,
} from '../transaction/index.js';
import { assetOutputsOf, initialBalances, tokensInOutputOrder } from '../vm/index.js';

/** Whether the first method of the script uses assets that the inputs approve in advance. */
export const takesPreapprovedAssets = (script: StatefulScript | undefined): boolean =>
  script?.methods[0] !== undefined && usesApprovedAssets(script.methods[0]);

/** gas amount * gas price in attoCoin, always on the full gas amount (protocol 02 §2.3). */
export const feeOf = (unsigned: UnsignedTransaction): bigint => BigInt(unsigned.gasAmount) * unsigned.gasPrice;

/**
 * The generated outputs of a transaction whose script fails: the assets available to the script return to their owners
 * less the fee, which the owner of the first input pays (protocol 02 §10.2). `previousOutputs` are those of the inputs,
 * in order. Undefined when such outputs cannot be formed.
 */
export const failedScriptOutputs = (
  unsigned: UnsignedTransaction,
  previousOutputs: readonly Output[],
): AssetOutput[] | undefined => {
  if (!takesPreapprovedAssets(unsigned.script)) return [];
  const inputs = previousOutputs.filter((output) => output.kind === 'asset');
  const balances = initialBalances({ inputs, fixedOutputs: unsigned.fixedOutputs, fee: feeOf(unsigned) });
  if (typeof balances === 'string') return undefined;
  const outputs: AssetOutput[] = [];
  for (const { lockupScript, coin, tokens } of balances.entries()) {
    // Inputs of transactions are asset outputs, so are their owners.
    const own = assetOutputsOf(lockupScript as AssetLockupScript, coin, tokensInOutputOrder(tokens));
    if (!own) return undefined;
    outputs.push(...own);
  }
  return outputs;
};

/** The failed form of a template (protocol 02 §10.2 point 4); undefined when it is impossible. */
export const toFailedForm = (
  template: TransactionTemplate,
  previousOutputs: readonly Output[],
): Transaction | undefined => {
  const generatedOutputs = failedScriptOutputs(template.unsigned, previousOutputs);
  return (
    generatedOutputs && {
      unsigned: template.unsigned,
      inputSignatures: template.inputSignatures,
      scriptSignatures: template.scriptSignatures,
      scriptExecutionOk: false,
      contractInputs: [],
      generatedOutputs,
    }
  );
};

import {
  dustAmount,
  maxMultisigKeys,
  maxOutputDataSize,
  maxTokensPerAssetOutput,
  maxTokensPerContractOutput,
} from '../primitives/index.js';
import { type Output, type Transaction } from '../transaction/index.js';
import { firstRefusal, type Rule, type Verdict } from './outcome.js';
import { required } from './rule-tables.js';

const maxTokens = (output: Output): number =>
  output.kind === 'asset' ? maxTokensPerAssetOutput : maxTokensPerContractOutput;

const hasValidStats = (output: Output): boolean =>
  output.amount >= dustAmount &&
  output.tokens.length <= maxTokens(output) &&
  output.tokens.every((token) => token.amount > 0n) &&
  (output.kind === 'contract' || output.tokens.length === 0 || output.amount === dustAmount);

const hasFewKeys = (output: Output): boolean =>
  output.kind === 'contract' ||
  output.lockupScript.kind !== 'p2mpkh' ||
  output.lockupScript.publicKeyHashes.length <= maxMultisigKeys;

/** Rules of one output, in this order (protocol 02 §9.3). */
export const outputChecks: readonly Rule<Output>[] = [
  required('InvalidOutputStats', hasValidStats),
  required('TooManyKeysInMultisig', hasFewKeys),
  required(
    'OutputDataSizeExceeded',
    (output) => output.kind === 'contract' || output.additionalData.length <= maxOutputDataSize,
  ),
];

/** All rules of an output before the next output, fixed outputs before generated ones (protocol 02 §9.2 check 11). */
export const checkOutputs = ({ unsigned, generatedOutputs }: Transaction): Verdict => {
  for (const output of unsigned.fixedOutputs) {
    const verdict = firstRefusal(outputChecks, output);
    if (verdict) return verdict;
  }
  for (const output of generatedOutputs) {
    const verdict = firstRefusal(outputChecks, output);
    if (verdict) return verdict;
  }
  return undefined;
};

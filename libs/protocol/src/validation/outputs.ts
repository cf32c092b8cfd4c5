import {
  amountText,
  dustAmount,
  maxMultisigKeys,
  maxOutputDataSize,
  maxTokensPerAssetOutput,
  maxTokensPerContractOutput,
} from '../primitives/index.js';
import { type Output, type Transaction } from '../transaction/index.js';
import { counted, placeOf } from './detail-words.js';
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

/** The mistake in an output without valid stats; completes a sentence after its subject. */
const statsDetail = (output: Output): string => {
  const { amount, tokens } = output;
  if (amount < dustAmount) return `has ${amountText(amount)}, expected at least ${amountText(dustAmount)}`;
  if (tokens.length > maxTokens(output)) {
    return `has ${counted(tokens.length, 'token')}, at most ${maxTokens(output)}: send each token in an output of its own`;
  }
  const empty = tokens.find((token) => token.amount === 0n);
  if (empty) return `has the amount 0 of token ${empty.id}: leave that token out`;
  return `has a token and ${amountText(amount)}, expected exactly ${amountText(dustAmount)}: send the rest in another output`;
};

const keysDetail = (output: Output): string => {
  const keys =
    output.kind === 'asset' && output.lockupScript.kind === 'p2mpkh' ? output.lockupScript.publicKeyHashes : [];
  return `goes to an address of ${keys.length} keys, at most ${maxMultisigKeys}`;
};

const messageDetail = (output: Output): string => {
  const length = output.kind === 'asset' ? output.additionalData.length : 0;
  return `has a message of ${length} bytes, at most ${maxOutputDataSize}: shorten it`;
};

/**
 * Rules of one output, in this order (protocol 02 §9.3). Their details begin with a verb and follow the place of the
 * output.
 */
export const outputChecks: readonly Rule<Output>[] = [
  required('InvalidOutputStats', hasValidStats, statsDetail),
  required('TooManyKeysInMultisig', hasFewKeys, keysDetail),
  required(
    'OutputDataSizeExceeded',
    (output) => output.kind === 'contract' || output.additionalData.length <= maxOutputDataSize,
    messageDetail,
  ),
];

const firstRefusalOf = (outputs: readonly Output[], noun: string): Verdict => {
  for (const [index, output] of outputs.entries()) {
    const refusal = firstRefusal(outputChecks, output);
    if (refusal) return { ...refusal, detail: `${placeOf(noun, index, outputs.length)} ${refusal.detail}` };
  }
  return undefined;
};

/** All rules of an output before the next output, fixed outputs before generated ones (protocol 02 §9.2 check 11). */
export const checkOutputs = ({ unsigned, generatedOutputs }: Transaction): Verdict =>
  firstRefusalOf(unsigned.fixedOutputs, 'output') ?? firstRefusalOf(generatedOutputs, 'generated output');

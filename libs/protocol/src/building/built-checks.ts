import { encode, sameBytes } from '../encoding/index.js';
import { dustAmount, maxCoinValue, maxInputs, maximalGasPerTx, outputHint } from '../primitives/index.js';
import {
  type AssetOutput,
  type Token,
  type UnsignedTransaction,
  unsignedTransactionCodec,
} from '../transaction/index.js';
import { estimateGas } from './gas-estimate.js';
import { chargedGasOf } from './minable.js';
import { outputsOfDestination } from './outputs.js';
import { type Sender } from './sender.js';
import { gasOfSweep, sweepChunkSize, type SweepRequest } from './sweep.js';
import { gasFeeCap } from './fee-cap.js';
import { type TransferRequest } from './transfer-request.js';

/** Request of a sender of one key to a builder that it does not trust. */
export type AskedTransfer = Pick<
  TransferRequest,
  'networkId' | 'sender' | 'destinations' | 'gasAmount' | 'gasPrice' | 'gasFormula' | 'unminable'
>;
export type AskedSweep = Pick<
  SweepRequest,
  'networkId' | 'sender' | 'destination' | 'lockTime' | 'gasAmount' | 'gasPrice' | 'unminable'
>;

const fields = [
  'version',
  'networkId',
  'script',
  'gasAmount',
  'gasPrice',
  'inputs',
  'fixedOutputs',
] as const satisfies readonly (keyof UnsignedTransaction)[];

/** The parts of a transaction that can differ from the request; `fee`: it is above the cap of protocol 02 §1. */
export const builtDifferences = [...fields, 'fee'] as const;
export type BuiltDifference = (typeof builtDifferences)[number];

/** Inputs of the sender as a builder makes them: each output once, opened with the sender's own key alone. */
const inputsOf = (
  { inputs }: UnsignedTransaction,
  { lockupScript, unlockScript }: Sender,
  most: number,
): UnsignedTransaction['inputs'] => {
  const hint = outputHint(lockupScript);
  const keys = new Set(inputs.map(({ outputReference }) => outputReference.key));
  return [...keys].slice(0, most).map((key) => ({ outputReference: { hint, key }, unlockScript }));
};

const coinOf = (outputs: readonly AssetOutput[]): bigint => {
  const coin = outputs.reduce((sum, { amount }) => sum + amount, 0n);
  return coin < maxCoinValue ? coin : maxCoinValue;
};

/** Each token once. */
const tokensOf = (outputs: readonly AssetOutput[]): readonly Token[] => {
  const byId = new Map(outputs.flatMap(({ tokens }) => tokens).map((token) => [token.id, token]));
  return [...byId.values()];
};

/** The one transaction that the request permits with the inputs of `built` is `expected`. */
const differenceOf = (built: UnsignedTransaction, expected: UnsignedTransaction): BuiltDifference | undefined => {
  if (built.inputs.length === 0) return 'inputs';
  const bytes = encode(unsignedTransactionCodec, expected);
  const differs = (field: keyof UnsignedTransaction): boolean =>
    !sameBytes(encode(unsignedTransactionCodec, { ...expected, [field]: built[field] }), bytes);
  const isTooDear = built.gasPrice * BigInt(built.gasAmount) > gasFeeCap;
  return fields.find(differs) ?? (isTooDear ? 'fee' : undefined);
};

/**
 * Whether `built` does what was asked, by making it a second time (protocol 02 §4): a builder decides which outputs of the sender
 * are spent and how much comes back to it, and nothing else. Inputs equal outputs and fee by the law (protocol 02
 * §9.4), so no coin can go elsewhere; a token that only inputs have is beyond this check, because they do not say what they hold.
 * Undefined: sign it.
 */
export const checkBuiltTransfer = (
  built: UnsignedTransaction,
  { networkId, sender, destinations, gasAmount, gasPrice, gasFormula, unminable = 'refuse' }: AskedTransfer,
): BuiltDifference | undefined => {
  const { lockupScript, unlockScript } = sender;
  const paid = destinations.flatMap(outputsOfDestination);
  const rest = built.fixedOutputs.slice(paid.length);
  const change = outputsOfDestination({ lockupScript, amount: coinOf(rest), tokens: tokensOf(rest) });
  const inputs = inputsOf(built, sender, maxInputs);
  const fixedOutputs = [...paid, ...change];
  const outputs = paid.length + tokensOf(paid).length + 1;
  const documented = estimateGas(gasFormula, unlockScript, inputs.length, outputs);
  const charged = unminable === 'build' ? 0 : (chargedGasOf(unlockScript, inputs.length, fixedOutputs.length) ?? 0);
  const gas = gasAmount ?? Math.min(maximalGasPerTx, Math.max(documented, charged));
  return differenceOf(built, {
    version: 0,
    networkId,
    script: undefined,
    gasAmount: gas,
    gasPrice,
    inputs,
    fixedOutputs,
  });
};

/** The same for one transaction of a sweep: everything goes to the destination (protocol 02 §6). */
export const checkBuiltSweep = (built: UnsignedTransaction, asked: AskedSweep): BuiltDifference | undefined => {
  const { networkId, sender, destination: lockupScript, lockTime, gasPrice } = asked;
  const tokens = tokensOf(built.fixedOutputs);
  const inputs = inputsOf(built, sender, sweepChunkSize);
  const coin = coinOf(built.fixedOutputs.slice(0, 1));
  const fixedOutputs = [
    { lockupScript, amount: coin, tokens: [], lockTime },
    ...tokens.map((token) => ({ lockupScript, amount: dustAmount, tokens: [token], lockTime })),
  ].flatMap(outputsOfDestination);
  return differenceOf(built, {
    version: 0,
    networkId,
    script: undefined,
    gasAmount: gasOfSweep(asked, inputs.length, tokens.length),
    gasPrice,
    inputs,
    fixedOutputs,
  });
};

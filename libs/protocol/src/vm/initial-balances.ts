import { type AssetOutput } from '../transaction/index.js';
import { BalanceList } from './balance-list.js';

/** The parts of a transaction that determine the balances of its script. */
export interface PayableTransaction {
  /** The outputs that the asset inputs spend, in order. */
  readonly inputs: readonly AssetOutput[];
  readonly fixedOutputs: readonly AssetOutput[];
  /** attoCoin: gas amount * gas price. */
  readonly fee: bigint;
}

/** Why there are no initial balances: names of failures (protocol 05 §12.4). */
export type InitialBalancesFailure = 'InvalidBalances' | 'UnableToPayGasFee';

const addOutput = (balances: BalanceList, { lockupScript, amount, tokens }: AssetOutput): boolean =>
  balances.addCoin(lockupScript, amount) &&
  tokens.every((token) => balances.addToken(lockupScript, token.id, token.amount));

const subtractOutput = (balances: BalanceList, { lockupScript, amount, tokens }: AssetOutput): boolean =>
  balances.subtractCoin(lockupScript, amount) &&
  tokens.every((token) => balances.subtractToken(lockupScript, token.id, token.amount));

/**
 * Initial balances of the script of a payable transaction: the spent outputs less the fixed outputs and the fee, which
 * the owner of the first input pays (protocol 05 §9.2, 02 §10.2).
 */
export const initialBalances = ({
  inputs,
  fixedOutputs,
  fee,
}: PayableTransaction): BalanceList | InitialBalancesFailure => {
  const balances = new BalanceList();
  if (!inputs.every((output) => addOutput(balances, output))) return 'InvalidBalances';
  if (!fixedOutputs.every((output) => subtractOutput(balances, output))) return 'InvalidBalances';
  const payer = inputs[0]?.lockupScript;
  return payer !== undefined && balances.subtractCoin(payer, fee) ? balances : 'UnableToPayGasFee';
};

import { type z } from 'zod';
import { formatAmountHint } from '@shardnode/protocol/primitives';
import { type Brand } from '@shardnode/http';
import { type BalanceReply } from '@shardnode/messages';
import { type Balance } from './addresses.schemas.js';

export type BalanceAnswer = z.output<typeof Balance>;

export const amountHint = (attoCoin: string, brand: Brand): string =>
  formatAmountHint(BigInt(attoCoin), brand.coinSymbol);

/** Both amounts of a balance in readable form. */
export const balanceHints = (
  parts: Pick<BalanceReply, 'balance' | 'lockedBalance'>,
  brand: Brand,
): { balanceHint: string; lockedBalanceHint: string } => ({
  balanceHint: amountHint(parts.balance, brand),
  lockedBalanceHint: amountHint(parts.lockedBalance, brand),
});

/** The response of `/addresses/{address}/balance` (protocol 07 §6.2); empty lists of tokens are left out. */
export const balanceForm = (parts: BalanceReply, brand: Brand): BalanceAnswer => {
  const { balanceHint, lockedBalanceHint } = balanceHints(parts, brand);
  const { balance, lockedBalance, tokenBalances, lockedTokenBalances, utxoNum } = parts;
  return {
    balance,
    balanceHint,
    lockedBalance,
    lockedBalanceHint,
    ...(tokenBalances.length > 0 ? { tokenBalances: [...tokenBalances] } : {}),
    ...(lockedTokenBalances.length > 0 ? { lockedTokenBalances: [...lockedTokenBalances] } : {}),
    utxoNum,
  };
};

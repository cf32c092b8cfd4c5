import { type z } from 'zod';
import { type Brand } from '@shardnode/http';
import { type WalletRequests } from '@shardnode/messages';
import { amountHint, balanceHints } from '../addresses/balance-forms.js';
import { type ApiProfile } from '../settings/api-settings.js';
import { type Balances, type BalancesAsTexts } from './wallets.schemas.js';

export type WalletBalancesAnswer = z.output<typeof Balances> | z.output<typeof BalancesAsTexts>;

/** Integer literals of full precision, or texts of digits, by the switch of protocol 07 §1.8. */
export const walletBalancesForm = (
  { totalBalance, balances }: WalletRequests['balances']['reply'],
  brand: Brand,
  numbers: ApiProfile['walletBalances'],
): WalletBalancesAnswer => {
  const formOf = <Figure>(figure: (digits: string) => Figure) => ({
    totalBalance: figure(totalBalance),
    totalBalanceHint: amountHint(totalBalance, brand),
    balances: balances.map(({ address, balance, lockedBalance }) => {
      const { balanceHint, lockedBalanceHint } = balanceHints({ balance, lockedBalance }, brand);
      return { address, balance: figure(balance), balanceHint, lockedBalance, lockedBalanceHint };
    }),
  });
  return numbers === 'integer' ? formOf(BigInt) : formOf(String);
};

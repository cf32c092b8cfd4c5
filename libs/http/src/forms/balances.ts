import { formatAmountHint } from '@shardnode/protocol/primitives';
import { type Brand } from '../brand/brand.js';
import { type BalanceAnswer, type WalletBalancesAnswer } from '../schemas/index.js';

interface TokenText {
  readonly id: string;
  /** Decimal digits. */
  readonly amount: string;
}

/** Balances as group-nodes tell them: amounts of attoCoin as decimal text. */
export interface BalanceParts {
  readonly balance: string;
  readonly lockedBalance: string;
  readonly tokenBalances: readonly TokenText[];
  readonly lockedTokenBalances: readonly TokenText[];
  readonly utxoNum: number;
}

export const amountHint = (attoCoin: string, brand: Brand): string =>
  formatAmountHint(BigInt(attoCoin), brand.coinSymbol);

const hints = (
  parts: Pick<BalanceParts, 'balance' | 'lockedBalance'>,
  brand: Brand,
): { balanceHint: string; lockedBalanceHint: string } => ({
  balanceHint: amountHint(parts.balance, brand),
  lockedBalanceHint: amountHint(parts.lockedBalance, brand),
});

/** The answer of `/addresses/{address}/balance` (protocol 07 §6.2); lists of tokens are left out when empty. */
export const balanceForm = (parts: BalanceParts, brand: Brand): BalanceAnswer => {
  const { balanceHint, lockedBalanceHint } = hints(parts, brand);
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

export type WalletBalanceNumbers = 'integer' | 'string';

/** Integer literals of full precision, or texts of digits, by the switch of protocol 07 §1.8. */
export const walletBalancesForm = (
  reply: {
    readonly totalBalance: string;
    readonly balances: readonly {
      readonly address: string;
      readonly balance: string;
      readonly lockedBalance: string;
    }[];
  },
  brand: Brand,
  numbers: WalletBalanceNumbers,
): WalletBalancesAnswer => {
  const figure = (digits: string): bigint | string => (numbers === 'integer' ? BigInt(digits) : digits);
  return {
    totalBalance: figure(reply.totalBalance),
    totalBalanceHint: amountHint(reply.totalBalance, brand),
    balances: reply.balances.map(({ address, balance, lockedBalance }) => {
      const { balanceHint, lockedBalanceHint } = hints({ balance, lockedBalance }, brand);
      return { address, balance: figure(balance), balanceHint, lockedBalance, lockedBalanceHint };
    }),
  };
};

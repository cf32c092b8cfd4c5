import { dustAmount, type AssetLockupScript } from '../primitives/index.js';
import { type AssetOutput, type Token } from '../transaction/index.js';
import { addAmounts, sumTokens, tokenText } from './amount-sums.js';
import { BuildRefusal } from './build-refusal.js';

export interface Destination {
  readonly lockupScript: AssetLockupScript;
  /** attoCoin */
  readonly amount: bigint;
  readonly tokens: readonly Token[];
  /** Milliseconds since 1970. */
  readonly lockTime?: bigint | undefined;
  readonly message?: Uint8Array | undefined;
}

const noMessage = new Uint8Array(0);

/** One output per token, then the rest of the coin (protocol 02 §4.7). */
export const outputsOfDestination = ({
  lockupScript,
  amount,
  tokens,
  lockTime = 0n,
  message = noMessage,
}: Destination): AssetOutput[] => {
  const output = (coin: bigint, own: readonly Token[]): AssetOutput => ({
    kind: 'asset',
    amount: coin,
    lockupScript,
    lockTime,
    tokens: own,
    additionalData: message,
  });
  const rest = amount - dustAmount * BigInt(tokens.length);
  const outputs = tokens.map((token) => output(dustAmount, [token]));
  if (rest > 0n) outputs.push(output(rest > dustAmount ? rest : dustAmount, []));
  return outputs;
};

export interface Totals {
  /** attoCoin, a dust for each possible change output included. */
  readonly coinNeeded: bigint;
  readonly tokensNeeded: readonly Token[];
  /** Number of outputs that the gas estimate counts. */
  readonly outputCount: number;
}

/** What a selection must reach (protocol 02 §4.3). Refused on overflow. */
export const totalsOf = (destinations: readonly Pick<Destination, 'amount' | 'tokens'>[]): Totals => {
  const sums = sumTokens(destinations.map(({ tokens }) => tokens));
  let coin = 0n;
  let outputs = 0;
  for (const { amount, tokens } of destinations) {
    const count = tokens.length + (amount <= dustAmount * BigInt(tokens.length) ? 0 : 1);
    const floor = dustAmount * BigInt(count);
    coin = addAmounts(coin, amount > floor ? amount : floor, '{COIN} amount overflow');
    outputs += count;
  }
  const change = sums.size + 1;
  return {
    coinNeeded: addAmounts(coin, dustAmount * BigInt(change), '{COIN} amount overflow'),
    tokensNeeded: [...sums].map(([id, amount]) => ({ id, amount })),
    outputCount: outputs + change,
  };
};

/** The tokens of the inputs that the outputs leave, zero amounts dropped (protocol 02 §4.8 step 2). */
export const tokenRemainders = (inputs: Iterable<readonly Token[]>, outputs: Iterable<readonly Token[]>): Token[] => {
  const given = sumTokens(inputs);
  const taken = sumTokens(outputs);
  const unknown = [...taken.keys()].filter((id) => !given.has(id));
  if (unknown.length > 0)
    throw new BuildRefusal(
      'NewTokensInOutputs',
      `New tokens found in outputs: Set(${unknown.map(tokenText).join(', ')})`,
    );
  const rests: Token[] = [];
  for (const [id, amount] of given) {
    const rest = amount - (taken.get(id) ?? 0n);
    if (rest < 0n) throw new BuildRefusal('NotEnoughToken', `Not enough balance for token ${tokenText(id)}`);
    if (rest > 0n) rests.push({ id, amount: rest });
  }
  return rests;
};

/** Coin left over for the sender (protocol 02 §4.8 step 1). */
export const coinRemainder = (inputs: Iterable<bigint>, outputs: Iterable<bigint>, fee: bigint): bigint => {
  let given = 0n;
  for (const amount of inputs) given = addAmounts(given, amount, 'Input amount overflow');
  let taken = 0n;
  for (const amount of outputs) taken = addAmounts(taken, amount, 'Output amount overflow');
  if (given < taken) throw new BuildRefusal('NotEnoughBalance', 'Not enough balance');
  if (given - taken < fee) throw new BuildRefusal('NotEnoughBalanceForFee', 'Not enough balance for gas fee');
  return given - taken - fee;
};

/** The outputs that give the rest back to the sender (protocol 02 §4.8 steps 3 and 4). */
export const changeOutputs = (
  lockupScript: AssetLockupScript,
  coinRest: bigint,
  tokens: readonly Token[],
): AssetOutput[] => {
  if (coinRest === 0n && tokens.length === 0) return [];
  const tokenDust = dustAmount * BigInt(tokens.length);
  if (coinRest === tokenDust || coinRest >= tokenDust + dustAmount)
    return outputsOfDestination({ lockupScript, amount: coinRest, tokens });
  const [kind, expected] =
    tokens.length === 0
      ? ['{COIN}', dustAmount]
      : coinRest < tokenDust
        ? ['token', tokenDust]
        : ['{COIN} and token', tokenDust + dustAmount];
  throw new BuildRefusal(
    'ChangeTooSmall',
    `Not enough {COIN} for ${kind} change output, expected ${expected}, got ${coinRest}`,
  );
};

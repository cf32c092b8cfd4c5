import { amountText, dustAmount, type AssetLockupScript } from '../primitives/index.js';
import { type AssetOutput, type Token } from '../transaction/index.js';
import { addAmounts, sumTokens } from './amount-sums.js';
import { refusalOf } from './build-refusal.js';

export interface Destination {
  readonly lockupScript: AssetLockupScript;
  /** attoCoin */
  readonly amount: bigint;
  readonly tokens: readonly Token[];
  /** Milliseconds since 1970. */
  readonly lockTime?: bigint | undefined;
  readonly message?: Uint8Array | undefined;
  /** Its place in the request; default: in the list of destinations. */
  readonly place?: string | undefined;
}

/** attoCoin that a destination with `tokens` tokens takes at least. */
const leastOf = (tokens: number): bigint => dustAmount * BigInt(tokens + 1);

/** attoCoin by which a destination can get less, its outputs remaining as they are. */
export const spareOf = ({ amount, tokens }: Pick<Destination, 'amount' | 'tokens'>): bigint => {
  const least = leastOf(tokens.length);
  return amount > least ? amount - least : 0n;
};

/** `destinations[2]` */
export const placeOf = ({ place }: Pick<Destination, 'place'>, index: number): string =>
  place ?? `destinations[${index}]`;

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
  /** The part of it for change, attoCoin. */
  readonly changeNeeded: bigint;
  readonly tokensNeeded: readonly Token[];
  /** Number of outputs that the gas estimate counts. */
  readonly outputCount: number;
}

/** Totals that a selection must reach (protocol 02 §4.3). Refused on overflow. */
export const totalsOf = (destinations: readonly Pick<Destination, 'amount' | 'tokens'>[]): Totals => {
  const sums = sumTokens(destinations.map(({ tokens }) => tokens));
  let coin = 0n;
  let outputs = 0;
  for (const { amount, tokens } of destinations) {
    const count = tokens.length + (amount <= dustAmount * BigInt(tokens.length) ? 0 : 1);
    const floor = dustAmount * BigInt(count);
    coin = addAmounts(coin, amount > floor ? amount : floor, 'total');
    outputs += count;
  }
  const change = sums.size + 1;
  const changeNeeded = dustAmount * BigInt(change);
  return {
    coinNeeded: addAmounts(coin, changeNeeded, 'total'),
    changeNeeded,
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
    throw refusalOf(
      'NewTokensInOutputs',
      `The inputs have none of the ${unknown.length === 1 ? 'token' : 'tokens'} ${unknown.join(', ')}, but some is to be sent.`,
      { tokens: unknown.join(',') },
    );
  const rests: Token[] = [];
  for (const [id, amount] of given) {
    const wanted = taken.get(id) ?? 0n;
    const rest = amount - wanted;
    if (rest < 0n)
      throw refusalOf(
        'NotEnoughToken',
        `The inputs have ${amount} of token ${id}, but ${wanted} is to be sent.`,
        { token: id, got: String(amount), expected: String(wanted) },
        { less: -rest, token: id, otherwise: 'Choose outputs with more of it' },
      );
    if (rest > 0n) rests.push({ id, amount: rest });
  }
  return rests;
};

/** Advice where the inputs are given and nothing less can be sent. */
const moreOutputs = 'Choose outputs with more coins';

/** Coin left over for the sender (protocol 02 §4.8 step 1). */
export const coinRemainder = (inputs: Iterable<bigint>, outputs: Iterable<bigint>, fee: bigint): bigint => {
  let given = 0n;
  for (const amount of inputs) given = addAmounts(given, amount, 'input');
  let taken = 0n;
  for (const amount of outputs) taken = addAmounts(taken, amount, 'output');
  const facts = { of: 'inputs', got: String(given), expected: String(taken), fee: String(fee) };
  if (given < taken)
    throw refusalOf(
      'NotEnoughBalance',
      `Not enough balance: the inputs have ${amountText(given)}, but ${amountText(taken)} is to be sent.`,
      facts,
      { less: taken - given, otherwise: moreOutputs },
    );
  if (given - taken < fee)
    throw refusalOf(
      'NotEnoughBalanceForFee',
      `Not enough balance for the fee: the inputs have ${amountText(given)}, which is enough for the ${amountText(taken)} to be sent, but not for the fee of ${amountText(fee)} too.`,
      facts,
      { less: taken + fee - given, otherwise: moreOutputs },
    );
  return given - taken - fee;
};

/** The outputs that return the rest to the sender (protocol 02 §4.8 steps 3 and 4). */
export const changeOutputs = (
  lockupScript: AssetLockupScript,
  coinRest: bigint,
  tokens: readonly Token[],
): AssetOutput[] => {
  if (coinRest === 0n && tokens.length === 0) return [];
  const tokenDust = dustAmount * BigInt(tokens.length);
  if (coinRest === tokenDust || coinRest >= tokenDust + dustAmount)
    return outputsOfDestination({ lockupScript, amount: coinRest, tokens });
  const [of, expected] =
    tokens.length === 0
      ? ['coin', dustAmount]
      : coinRest < tokenDust
        ? ['token', tokenDust]
        : ['coin and token', tokenDust + dustAmount];
  const outputs = tokens.length === 0 ? 'an output' : 'the outputs for coins and tokens that come back';
  throw refusalOf(
    'ChangeTooSmall',
    `The change is ${amountText(coinRest)}, but ${outputs} would need ${amountText(expected)}.`,
    { of, got: String(coinRest), expected: String(expected) },
    { less: expected - coinRest, otherwise: moreOutputs },
  );
};

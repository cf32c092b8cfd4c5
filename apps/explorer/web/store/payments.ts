import { groupOfHint } from './chains.js';
import { type Input, type MempoolTransaction, type Output, type TokenAmount, type Transaction } from './forms.js';

export type AnyTransaction = Transaction | MempoolTransaction;

/** An amount of the coin (`token` undefined) or of a token. */
export interface Amount {
  readonly token?: string;
  readonly amount: bigint;
}

export const feeOf = ({ gasAmount, gasPrice }: AnyTransaction): bigint => BigInt(gasAmount) * BigInt(gasPrice);

/** Whether its script failed, so that only the fee has left. */
export const hasFailed = (transaction: AnyTransaction): boolean =>
  'scriptExecutionOk' in transaction && !transaction.scriptExecutionOk;

const unique = (addresses: readonly (string | undefined)[]): string[] => [
  ...new Set(addresses.filter((address) => address !== undefined)),
];

export const senders = ({ inputs }: AnyTransaction): string[] => unique(inputs.map(({ address }) => address));

/** Addresses of outputs that are not change. All of them, if everything goes back to the sender. */
export const receivers = (transaction: AnyTransaction): string[] => {
  const own = new Set(senders(transaction));
  const all = unique(transaction.outputs.map(({ address }) => address));
  const others = all.filter((address) => !own.has(address));
  return others.length === 0 ? all : others;
};

/** Whether an output goes back to an address that put the same in: its tokens if it holds any, otherwise coins. */
export const isChange = ({ inputs }: AnyTransaction, { address, tokens = [] }: Output): boolean => {
  const own = inputs.filter((input) => input.address === address);
  const spent = new Set(own.flatMap((input) => (input.tokens ?? []).map(({ id }) => id)));
  return own.length > 0 && tokens.every(({ id }) => spent.has(id));
};

const coinsOf = (parts: readonly (Input | Output)[]): bigint =>
  parts.reduce((sum, { attoCoinAmount = '0' }) => sum + BigInt(attoCoinAmount), 0n);

export const totalOf = coinsOf;

/** Of one that moves between those who pay, such as a call of a contract: what they gained. Undefined of other ones. */
const gained = (transaction: AnyTransaction): readonly Change[] | undefined => {
  const own = senders(transaction);
  const isBetween = own.length > 1 && isComplete(transaction) && receivers(transaction).every((to) => own.includes(to));
  return isBetween ? changes(transaction).filter(({ amount }) => amount > 0n) : undefined;
};

const sumOf = (amounts: readonly Amount[], token?: string): Amount => ({
  token,
  amount: amounts.reduce((sum, each) => (each.token === token ? sum + each.amount : sum), 0n),
});

/** Addresses that have got something. */
export const reached = (transaction: AnyTransaction): string[] => {
  const gains = gained(transaction);
  return gains === undefined ? receivers(transaction) : unique(gains.map(({ address }) => address));
};

/** What the receivers get: the coin, or the first token when only a deposit of coins goes with it. */
export const moved = (transaction: AnyTransaction): Amount => {
  const gains = gained(transaction);
  if (gains !== undefined) return sumOf(gains, gains.find(({ token }) => token !== undefined)?.token);
  const to = new Set(receivers(transaction));
  const outputs = transaction.outputs.filter(({ address }) => to.has(address));
  const tokens = outputs.flatMap(({ tokens: held = [] }) => held);
  const token = tokens[0]?.id;
  if (token === undefined) return { amount: coinsOf(outputs) };
  return sumOf(
    tokens.map(({ id, amount }) => ({ token: id, amount: BigInt(amount) })),
    token,
  );
};

/** Whether one address pays itself: nothing moves but the fee. */
export const isToItself = (transaction: AnyTransaction): boolean => {
  const own = senders(transaction);
  return own.length === 1 && areSendersKnown(transaction) && receivers(transaction).every((to) => to === own[0]);
};

/** What addresses gain of one token; what comes back to where it was, if none gains any. */
export const movedOf = (transaction: AnyTransaction, token: string): Amount => {
  const gains = changes(transaction).filter((change) => change.token === token && change.amount > 0n);
  if (gains.length > 0 && isComplete(transaction)) return sumOf(gains, token);
  const to = new Set(receivers(transaction));
  const held = transaction.outputs.flatMap(({ address, tokens = [] }) =>
    tokens.filter(({ id }) => id === token).map(({ amount }) => ({ address, token, amount: BigInt(amount) })),
  );
  const received = held.filter(({ address }) => to.has(address));
  return sumOf(received.length > 0 ? received : held, token);
};

/** Whether the amounts of all inputs are known. Of a waiting transaction that spends another waiting one they are not. */
export const isComplete = ({ inputs }: AnyTransaction): boolean =>
  inputs.every(({ address, attoCoinAmount }) => address !== undefined && attoCoinAmount !== undefined);

/** Whether the address of every input is known, so that change can be told from what was paid. */
export const areSendersKnown = ({ inputs }: AnyTransaction): boolean =>
  inputs.every(({ address }) => address !== undefined);

/** Whether it is known what a transaction changes at an address. */
export const isKnownAt = (transaction: AnyTransaction, own: string): boolean =>
  areSendersKnown(transaction) &&
  transaction.inputs.every(({ address, attoCoinAmount }) => address !== own || attoCoinAmount !== undefined);

/** The group of a part of a transaction. Contracts act inside the group of the chain. */
export const groupOfPart = (part: Input | Output, { chainFrom }: AnyTransaction, groups: number): number => {
  const isContract = 'outputRef' in part ? part.contractInput : part.type === 'ContractOutput';
  return isContract ? chainFrom : groupOfHint('outputRef' in part ? part.outputRef.hint : part.hint, groups);
};

/** Items with an equal key together, in the order in which the keys occur. */
export const gathered = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
};

/** The tokens of some parts, each once. */
export const tokensOf = (parts: readonly (Input | Output)[]): TokenAmount[] =>
  gathered(
    parts.flatMap(({ tokens = [] as readonly TokenAmount[] }) => tokens),
    ({ id }) => id,
  ).map((each) => ({ id: each[0]!.id, amount: each.reduce((sum, { amount }) => sum + BigInt(amount), 0n).toString() }));

/** What a transaction changed at an address. */
export interface Change extends Amount {
  readonly address: string;
}

/** The differences of all addresses and assets, in the order in which they occur; without those that are 0. */
export const changes = ({ inputs, outputs }: AnyTransaction): Change[] => {
  const sums = new Map<string, Change>();
  const add = (address: string, token: string | undefined, difference: bigint): void => {
    const key = `${address} ${token ?? ''}`;
    const { amount } = sums.get(key) ?? { amount: 0n };
    sums.set(key, { address, token, amount: amount + difference });
  };
  const take = (part: Input | Output, sign: bigint): void => {
    const { address, attoCoinAmount = '0', tokens = [] as readonly TokenAmount[] } = part;
    if (address === undefined) return;
    add(address, undefined, sign * BigInt(attoCoinAmount));
    for (const { id, amount } of tokens) add(address, id, sign * BigInt(amount));
  };
  for (const input of inputs) take(input, -1n);
  for (const output of outputs) take(output, 1n);
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
};

/** The same, those of an address together. */
export const changesOfAddresses = (transaction: AnyTransaction): Change[][] =>
  gathered(changes(transaction), ({ address }) => address);

/** What a transaction is to an address. */
export type Way = 'reward' | 'in' | 'self' | 'exchange' | 'out';

export const wayOf = (transaction: AnyTransaction, own: string): Way => {
  if (transaction.inputs.length === 0) return 'reward';
  if (!senders(transaction).includes(own)) return 'in';
  if (receivers(transaction).every((address) => address === own)) return 'self';
  const signs = changes(transaction).flatMap(({ address, amount }) => (address === own ? [amount > 0n] : []));
  if (signs.includes(true) && isKnownAt(transaction, own)) return signs.includes(false) ? 'exchange' : 'in';
  return 'out';
};

/** With whom: who paid the address, or whom it paid. */
export const counterparties = (transaction: AnyTransaction, own: string): string[] => {
  const others = senders(transaction).filter((address) => address !== own);
  return wayOf(transaction, own) === 'in' && others.length > 0
    ? others
    : receivers(transaction).filter((address) => address !== own);
};

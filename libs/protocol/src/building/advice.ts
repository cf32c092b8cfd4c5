import { amountText, type Hash } from '../primitives/index.js';
import { type Token } from '../transaction/index.js';
import { buildOutcome, BuildRefusal, type Lack } from './build-refusal.js';
import { type Destination, outputsOfDestination, spareOf } from './outputs.js';

/** The parts of a request that advice changes. */
export interface Asked {
  /** The destinations of each sender. */
  readonly senders: readonly (readonly Destination[])[];
  readonly gasAmount?: number | undefined;
  /** Assets that a script may take, and the names of these fields. */
  readonly approved?: Approved | undefined;
}

/** Assets that a script may take: attoCoin, and each token once. */
export interface Approved {
  readonly coin: bigint;
  readonly tokens: readonly Token[];
  readonly fields: ApprovalFields;
}

/** Names of the fields of a request that approve coin and tokens. */
export interface ApprovalFields {
  readonly coin: string;
  readonly tokens: string;
}

/** A builder as advice uses it. */
export interface Advised<Built> {
  readonly asked: Asked;
  /** The builder itself, without advice. Throws BuildRefusal. */
  readonly build: (asked: Asked) => Built;
  /** Bound of the work for one refusal; nearly all take one to three. */
  readonly mostTries?: number;
  /** Whether a sweep in place of the request would be built. */
  readonly sweeps?: ((refusal: BuildRefusal) => boolean) | undefined;
}

/** A change of one amount of a destination. */
interface Taken {
  readonly sender: number;
  readonly destination: number;
  readonly spare: bigint;
}

/** Takes `less` from the amounts with the largest spare; undefined if all together have too little. */
const takenFrom = (amounts: readonly Taken[], less: bigint): Map<Taken, bigint> | undefined => {
  const taken = new Map<Taken, bigint>();
  let rest = less;
  for (const one of [...amounts].sort((a, b) => (a.spare > b.spare ? -1 : a.spare < b.spare ? 1 : 0))) {
    if (rest === 0n) break;
    const own = one.spare < rest ? one.spare : rest;
    taken.set(one, own);
    rest -= own;
  }
  return rest === 0n ? taken : undefined;
};

/** Units of a token by which a destination can get less: at least one of each entry remains. */
const spareOfToken = ({ tokens }: Destination, id: string): bigint =>
  tokens.reduce((spare, token) => (token.id === id ? spare + token.amount - 1n : spare), 0n);

const withLessToken = (tokens: readonly Token[], id: string, less: bigint): readonly Token[] => {
  let rest = less;
  return tokens.map((token) => {
    if (token.id !== id || rest === 0n) return token;
    const own = token.amount - 1n < rest ? token.amount - 1n : rest;
    rest -= own;
    return { ...token, amount: token.amount - own };
  });
};

const withLess = (destination: Destination, less: bigint, token: string | undefined): Destination =>
  token === undefined
    ? { ...destination, amount: destination.amount - less }
    : { ...destination, tokens: withLessToken(destination.tokens, token, less) };

const withMore = ({ coin, tokens, fields }: Approved, more: bigint, token: Hash | undefined): Approved => {
  if (token === undefined) return { coin: coin + more, tokens, fields };
  const others = tokens.filter(({ id }) => id !== token);
  const amount = tokens.reduce((sum, one) => (one.id === token ? sum + one.amount : sum), more);
  return { coin, tokens: [...others, { id: token, amount }], fields };
};

/** Without its last destinations, which have so many outputs or more; one sender must have at least one. */
const toFewer = (asked: Asked, outputs: number): Asked | undefined => {
  const [destinations = [], ...others] = asked.senders;
  let left = outputs;
  let count = destinations.length;
  for (; left > 0 && count > 0; count--) left -= outputsOfDestination(destinations[count - 1]!).length;
  return others.length > 0 || count === 0 ? undefined : { ...asked, senders: [destinations.slice(0, count)] };
};

/** The request with what is lacking changed; undefined where it cannot be. */
const changed = (asked: Asked, { less, token, gas, sender, more }: Lack): Asked | undefined => {
  const { approved } = asked;
  if (more !== undefined) return approved && { ...asked, approved: withMore(approved, more, token) };
  if (gas !== undefined) return asked.gasAmount === undefined ? undefined : { ...asked, gasAmount: gas };
  if (less === undefined || less <= 0n) return undefined;
  const amounts = asked.senders.flatMap((own, index) =>
    sender === undefined || sender === index
      ? own.map((each, place) => ({
          sender: index,
          destination: place,
          spare: token === undefined ? spareOf(each) : spareOfToken(each, token),
        }))
      : [],
  );
  const taken = takenFrom(amounts, less);
  if (!taken) return undefined;
  const senders = asked.senders.map((own) => [...own]);
  for (const [one, own] of taken) {
    const list = senders[one.sender]!;
    list[one.destination] = withLess(list[one.destination]!, own, token);
  }
  return { ...asked, senders };
};

interface Found {
  /** The refused request, changed until it is built; undefined if it never is. */
  readonly near?: Asked;
  /** The first refusal on the way. */
  readonly first?: string | undefined;
}

const search = <Built>({ asked, build, mostTries = 24 }: Advised<Built>, start: Lack): Found => {
  let lack: Lack | undefined = start;
  let { first } = start;
  // With less for each destination so many of them fit no better.
  const isForFewer = start.less === undefined && start.fewer !== undefined;
  const change = (from: Asked, of: Lack): Asked | undefined =>
    isForFewer && of.fewer !== undefined ? toFewer(from, of.fewer) : changed(from, of);
  let next = change(asked, start);
  for (let tries = 0; next && tries < mostTries; tries++) {
    try {
      build(next);
      return { near: next, first };
    } catch (error) {
      if (!(error instanceof BuildRefusal)) throw error;
      const before: Lack | undefined = lack;
      lack = error.lack;
      if (!isForFewer) first ??= lack?.first;
      next = lack && !isSameFailure(lack, before) ? change(next, lack) : undefined;
    }
  }
  return { first };
};

/** A script that lacks the same at the same place does not take it from what is approved. */
const isSameFailure = (a: Lack, b: Lack | undefined): boolean =>
  a.at !== undefined && a.at === b?.at && a.more === b.more && a.token === b.token;

const amountsOf = ({ amount, tokens }: Destination): Map<string | undefined, bigint> => {
  const amounts = new Map<string | undefined, bigint>([[undefined, amount]]);
  for (const { id, amount: own } of tokens) amounts.set(id, (amounts.get(id) ?? 0n) + own);
  return amounts;
};

const listText = (parts: readonly string[]): string =>
  parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join('');

/** `approve 1 {COIN} (..) with \`attoCoinAmount\`` */
const approvalText = (before: Approved | undefined, after: Approved | undefined): readonly string[] => {
  if (!before || !after || before === after) return [];
  const { coin, tokens, fields } = after;
  const coins = coin === before.coin ? [] : [`${amountText(coin)} with \`${fields.coin}\``];
  const others = tokens
    .filter((token) => !before.tokens.includes(token))
    .map(({ id, amount }) => `${amount} of token ${id} with \`${fields.tokens}\``);
  return [`approve ${listText([...coins, ...others])}`];
};

/** `send 0.003 {COIN} (..) less to destinations[1] and 5 of token aa.. less to destinations[0]` */
const changeText = (before: Asked, after: Asked): string => {
  const placed = before.senders.flatMap((own, sender) =>
    own.slice(0, after.senders[sender]!.length).map((destination, index) => ({
      destination,
      reduced: after.senders[sender]![index]!,
      place: destination.place ?? `${before.senders.length > 1 ? `from[${sender}].` : ''}destinations[${index}]`,
    })),
  );
  const less = placed.flatMap(({ destination, reduced, place }) => {
    const remaining = amountsOf(reduced);
    const where = placed.length > 1 ? ` to ${place}` : '';
    return [...amountsOf(destination)].flatMap(([token, amount]) => {
      const own = amount - remaining.get(token)!;
      if (own === 0n) return [];
      return [`${token === undefined ? amountText(own) : `${own} of token ${token}`} less${where}`];
    });
  });
  const { gasAmount } = after;
  const gas = gasAmount === before.gasAmount ? [] : [`give a gas amount of ${gasAmount}`];
  const count = after.senders[0]?.length;
  const isToFewer = count !== before.senders[0]?.length;
  return [
    ...gas,
    ...(isToFewer ? [`send to the first ${count} destinations (to the others in further transactions)`] : []),
    ...approvalText(before.approved, after.approved),
    ...(less.length > 0 ? [`send ${listText(less)}`] : []),
  ].join(' and ');
};

const isBuilt = <Built>({ build }: Advised<Built>, asked: Asked): boolean => buildOutcome(() => build(asked)).ok;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const adviceOn = <Built>(advised: Advised<Built>, refusal: BuildRefusal, lack: Lack): string => {
  const { near, first } = search(advised, lack);
  const sweeps = advised.sweeps?.(refusal) === true;
  const isEstimated = lack.gas !== undefined && isBuilt(advised, { ...advised.asked, gasAmount: undefined });
  const ways = [
    ...(first === undefined || sweeps ? [] : [first]),
    ...(near ? [changeText(advised.asked, near)] : []),
    ...(isEstimated ? ['leave it out to have it estimated'] : []),
    ...(sweeps ? [`${near ? '' : 'send '}everything with a sweep`] : []),
  ];
  return ways.length === 0 ? lack.otherwise : sentence(ways.join(', or '));
};

/**
 * Runs a builder. If it refuses for something that a smaller request would not lack, the refusal says which request the
 * same builder builds: the nearest one, found by building (00-decisions, 26). Throws BuildRefusal.
 */
export const withAdvice = <Built>(advised: Advised<Built>): Built => {
  try {
    return advised.build(advised.asked);
  } catch (error) {
    if (!(error instanceof BuildRefusal) || !error.lack) throw error;
    throw error.lacking({ otherwise: adviceOn(advised, error, error.lack) });
  }
};

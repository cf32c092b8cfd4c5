import { type Input, type Output, type TokenAmount } from '../../store/forms.js';
import { type AnyTransaction, feeOf, groupOfPart, isChange } from '../../store/payments.js';

/** What an end of a thread is. */
export type Role =
  'input' | 'receiver' | 'change' | 'output' | 'fee' | 'made' | 'burnt' | 'unknown' | 'forScript' | 'bundle';

/** An end of a thread of the flow. */
export interface Party {
  readonly role: Role;
  /** Of the coin in attoCoin, of a token in its smallest unit. */
  readonly amount: bigint;
  /** Undefined: of several, or of none. */
  readonly group?: number;
  readonly address?: string;
  readonly isContract: boolean;
  readonly isLocked: boolean;
  /** The transaction that made the input, or that spends the output. */
  readonly transaction?: string;
  /** How many inputs or outputs it stands for. */
  readonly count: number;
}

export interface Flow {
  readonly inputs: readonly Party[];
  readonly outputs: readonly Party[];
  /** Of each side. */
  readonly total: bigint;
}

/** Threads of a side; the smallest are bundled when there are more. */
export const mostThreads = 12;

/** The assets that move, by the ids of tokens; undefined is the coin. */
export const assetsOf = ({ inputs, outputs }: AnyTransaction): (string | undefined)[] => [
  undefined,
  ...new Set(
    [...inputs, ...outputs].flatMap(({ tokens = [] as readonly TokenAmount[] }) => tokens.map(({ id }) => id)),
  ),
];

/** How much of an asset a part holds; undefined while that is not known. */
const amountIn = (part: Input | Output, token: string | undefined): bigint | undefined => {
  if (part.attoCoinAmount === undefined) return undefined;
  if (token === undefined) return BigInt(part.attoCoinAmount);
  const held = (part.tokens ?? []).filter(({ id }) => id === token);
  return held.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
};

const totalOf = (parties: readonly Party[]): bigint => parties.reduce((sum, { amount }) => sum + amount, 0n);

const bare = (role: Role, amount: bigint, count = 1): Party => ({
  role,
  amount,
  count,
  isContract: false,
  isLocked: false,
});

/** The largest in their order, and after them the others as one. */
export const bundled = (parties: readonly Party[]): readonly Party[] => {
  if (parties.length <= mostThreads) return parties;
  const bySize = parties.map((_, i) => i).sort((a, b) => compare(parties[b]!.amount, parties[a]!.amount) || a - b);
  const large = new Set(bySize.slice(0, mostThreads - 1));
  const small = parties.filter((_, i) => !large.has(i));
  const groups = new Set(small.map(({ group }) => group));
  const bundle = {
    ...bare('bundle', totalOf(small), small.length),
    group: groups.size === 1 ? small[0]!.group : undefined,
  };
  return [...parties.filter((_, i) => large.has(i)), bundle];
};

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

interface Scene {
  readonly transaction: AnyTransaction;
  readonly groups: number;
  readonly token: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const partyOf = (part: Input | Output, role: Role, amount: bigint, { transaction, groups, now }: Scene): Party => {
  const isInput = 'outputRef' in part;
  return {
    role,
    amount,
    count: 1,
    group: groupOfPart(part, transaction, groups),
    address: part.address,
    isContract: isInput ? part.contractInput : part.type === 'ContractOutput',
    isLocked: !isInput && (part.lockTime ?? 0) > now,
    transaction: isInput ? part.txHashRef : part.spent,
  };
};

const isPending = (transaction: AnyTransaction): boolean => !('blockHash' in transaction);

const inputsOf = (scene: Scene): Party[] =>
  scene.transaction.inputs.flatMap((input) => {
    const amount = amountIn(input, scene.token);
    return amount === undefined || amount === 0n ? [] : [partyOf(input, 'input', amount, scene)];
  });

const outputsOf = (scene: Scene): Party[] => {
  const { transaction, token } = scene;
  const areSendersKnown =
    transaction.inputs.length > 0 && transaction.inputs.every(({ address }) => address !== undefined);
  return transaction.outputs.flatMap((output) => {
    const amount = amountIn(output, token)!;
    const role = !areSendersKnown ? 'output' : isChange(transaction, output) ? 'change' : 'receiver';
    return amount === 0n ? [] : [partyOf(output, role, amount, scene)];
  });
};

/** What makes up for what the inputs lack: new coins or tokens, or inputs of which nobody knows yet what they hold. */
const added = (lack: bigint, unknown: number): Party[] => {
  if (unknown > 0) return [bare('unknown', lack > 0n ? lack : 0n, unknown)];
  return lack > 0n ? [bare('made', lack)] : [];
};

/** What makes up for what the outputs lack. What a script will do with it is not known before it has run. */
const removed = (lack: bigint, transaction: AnyTransaction): Party[] =>
  lack > 0n ? [bare(isPending(transaction) ? 'forScript' : 'burnt', lack)] : [];

/** From where to where an asset goes. Both sides hold as much: what is new, burnt, a fee or not known is a thread of its own. */
export const flowOf = (
  transaction: AnyTransaction,
  { token, groups, now }: { readonly token: string | undefined; readonly groups: number; readonly now: number },
): Flow => {
  const scene = { transaction, groups, token, now };
  const [known, paid] = [inputsOf(scene), outputsOf(scene)];
  const paysFee = token === undefined && transaction.inputs.length > 0;
  const fee = paysFee ? [bare('fee', feeOf(transaction))] : [];
  const unknown = transaction.inputs.filter((input) => amountIn(input, token) === undefined).length;
  const lack = totalOf([...paid, ...fee]) - totalOf(known);
  const inputs = [...bundled(known), ...added(lack, unknown)];
  return { inputs, outputs: [...bundled(paid), ...removed(-lack, transaction), ...fee], total: totalOf(inputs) };
};

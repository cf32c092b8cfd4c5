import { ServiceError } from '@shardnode/core/errors';
import {
  allGroups,
  type GroupClient,
  type GroupRequestName,
  type GroupRequests,
  type WalletClient,
  type WalletRequestName,
  type WalletRequests,
} from '@shardnode/messages';

/** Who can be asked. */
export interface Clients {
  readonly groups: GroupClient;
  readonly wallet: WalletClient;
}

/** The rest of the way, once everything that needs nobody else has been checked (protocol 07 §1.11, steps 5 to 7). */
export type Asking<Answer> = (clients: Clients) => Answer | Promise<Answer>;

/** Where an answer comes from. */
export interface Plan<Input, Answer> {
  readonly kind: 'here' | 'one group' | 'all groups' | 'wallet';
  /** Checks that need no state, then how to ask. */
  prepare(input: Input): Asking<Answer>;
}

/** Computed by the gateway alone. */
const here = <Input, Answer>(answer: (input: Input) => Answer | Promise<Answer>): Plan<Input, Answer> => ({
  kind: 'here',
  prepare: (input) => () => answer(input),
});

type Request<Name extends GroupRequestName> = GroupRequests[Name]['request'];
type Reply<Name extends GroupRequestName> = GroupRequests[Name]['reply'];

/** Stands before a group. */
export interface Gate<Payload> {
  /** What the group answers. @throws ServiceError instead of asking it */
  through<Reply>(group: number, payload: Payload, ask: () => Promise<Reply>): Promise<Reply>;
}

interface OneGroup<Name extends GroupRequestName, Input, Answer> {
  /** The group that has it, and what it is asked. */
  readonly ask: (input: Input) => { readonly group: number; readonly payload: Request<Name> };
  /** The error in place of the group's `not-found`. */
  readonly missing?: (input: Input) => ServiceError;
  readonly gate?: Gate<Request<Name>>;
  readonly form: (reply: Reply<Name>, input: Input) => Answer | Promise<Answer>;
}

/** One group, told by a rule, has the answer. */
const oneGroup = <Name extends GroupRequestName, Input, Answer>(
  name: Name,
  { ask, form, missing, gate }: OneGroup<Name, Input, Answer>,
): Plan<Input, Answer> => ({
  kind: 'one group',
  prepare: (input) => {
    const { group, payload } = ask(input);
    return async ({ groups }) => {
      const asked = (): Promise<Reply<Name>> => groups.request(group, name, payload);
      const reply = gate ? gate.through(group, payload, asked) : asked();
      return form(await (missing ? renamed(reply, () => missing(input)) : reply), input);
    };
  },
});

/** The reply, or the error in place of a group's `not-found`. */
export const renamed = async <Value>(reply: Promise<Value>, missing: () => Error): Promise<Value> => {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') throw missing();
    throw error;
  }
};

interface AllGroups<Name extends GroupRequestName, Input, Answer> {
  readonly payload: (input: Input) => Request<Name>;
  readonly merge: (replies: Reply<Name>[], input: Input) => Answer | Promise<Answer>;
}

/** All groups are asked at once; each has a part of the answer. */
const everyGroup = <Name extends GroupRequestName, Input, Answer>(
  name: Name,
  { payload, merge }: AllGroups<Name, Input, Answer>,
): Plan<Input, Answer> => ({
  kind: 'all groups',
  prepare: (input) => {
    const request = payload(input);
    return async ({ groups }) => merge(await allGroups(groups, name, request), input);
  },
});

/** Groups are asked in a way of its own, until it is found. */
const search = <Input, Answer>(find: (input: Input, clients: Clients) => Promise<Answer>): Plan<Input, Answer> => ({
  kind: 'all groups',
  prepare: (input) => (clients) => find(input, clients),
});

interface Wallet<Name extends WalletRequestName, Input, Answer> {
  readonly payload: (input: Input) => WalletRequests[Name]['request'];
  readonly form: (reply: WalletRequests[Name]['reply'], input: Input) => Answer;
}

/** The wallet-service has the answer. */
const wallet = <Name extends WalletRequestName, Input, Answer>(
  name: Name,
  { payload, form }: Wallet<Name, Input, Answer>,
): Plan<Input, Answer> => ({
  kind: 'wallet',
  prepare: (input) => {
    const request = payload(input);
    return async (clients) => form(await clients.wallet.request(name, request), input);
  },
});

/** The ways to an answer, for one type of input. */
export interface Plans<Input> {
  here<Answer>(answer: (input: Input) => Answer | Promise<Answer>): Plan<Input, Answer>;
  oneGroup<Name extends GroupRequestName, Answer>(name: Name, way: OneGroup<Name, Input, Answer>): Plan<Input, Answer>;
  everyGroup<Name extends GroupRequestName, Answer>(
    name: Name,
    way: AllGroups<Name, Input, Answer>,
  ): Plan<Input, Answer>;
  search<Answer>(find: (input: Input, clients: Clients) => Promise<Answer>): Plan<Input, Answer>;
  wallet<Name extends WalletRequestName, Answer>(name: Name, way: Wallet<Name, Input, Answer>): Plan<Input, Answer>;
}

export const plansFor = <Input>(): Plans<Input> => ({ here, oneGroup, everyGroup, search, wallet });

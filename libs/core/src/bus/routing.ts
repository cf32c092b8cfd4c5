import { type Sender } from './sender.js';

/**
 * Where the handler of a pattern listens. Decorators are evaluated once while several members of a service may live in one
 * process, so patterns lack network and group and each member brings its own routes.
 */
export interface BusRoute {
  /** Subjects in NATS grammar: `*` is one token, `>` the rest. */
  readonly subjects: readonly string[];
  /** Queue group: only one of its members gets a message. Requests always have one. */
  readonly queue?: string;
  /** The table of permissions, asked at the receiving end for the subject of the message. */
  maySend(sender: Sender, subject: string): boolean;
  /**
   * Asked before the handler: undefined for a payload that it can take, else what is wrong with it. Names the field and what
   * was expected, never the value, which may be a secret.
   */
  readonly check?: (payload: unknown, subject: string) => string | undefined;
}

/** Undefined for a pattern that no table knows: the start fails. */
export type BusRouting = (pattern: string, kind: 'request' | 'event') => BusRoute | undefined;

/** Does the subject match the subscription (NATS grammar)? */
export const subjectMatches = (subscription: string, subject: string): boolean => {
  if (subscription === subject) return true;
  if (!/[*>]/.test(subscription)) return false;
  const wanted = subscription.split('.');
  const given = subject.split('.');
  for (const [index, token] of wanted.entries()) {
    if (token === '>') return given.length > index;
    if (given[index] === undefined || (token !== '*' && token !== given[index])) return false;
  }
  return wanted.length === given.length;
};

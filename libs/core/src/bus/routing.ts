import { type ServiceError } from '../errors/index.js';
import { type Sender } from './sender.js';

/**
 * Errors of requests whose callers may be programs of others: the codes and the form are those of a document, not of
 * these libraries.
 */
export interface PublicErrors {
  /** The error with a code of the document. Idempotent. */
  publicOf(error: ServiceError): ServiceError;
  /** Over a network: the header `X-Error` and the JSON body. */
  frameOf(error: ServiceError): { readonly header: string; readonly body: unknown };
  /** The sender of a request that names none: the account of the server decides what it may send. */
  readonly unnamedSender: Sender;
}

/**
 * Where the handler of a pattern listens. Decorators are evaluated once, but one process may hold several members of a
 * service. So patterns contain no network and no group, and each member has its own routes.
 */
export interface BusRoute {
  /** Subjects in NATS grammar: `*` is one token, `>` the rest. */
  readonly subjects: readonly string[];
  /** Queue group: only one of its members gets a message. Requests always have one. */
  readonly queue?: string;
  /** The table of permissions. The receiver checks the subject of each message. */
  maySend(sender: Sender, subject: string): boolean;
  /** Of requests of other programs; absent: the form of the services. */
  readonly publicErrors?: PublicErrors;
  /**
   * Checks the payload before the handler runs. Returns undefined for a valid payload, otherwise the problem: the field
   * and the expected form, never the value, which may be a secret.
   */
  readonly check?: (payload: unknown, subject: string) => string | undefined;
}

/** Undefined for an unknown pattern: the start fails. */
export type BusRouting = (pattern: string, kind: 'request' | 'event') => BusRoute | undefined;

/** Whether the subject matches the subscription (NATS grammar). */
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

import {
  type AnswerAtOnce,
  answerOfError,
  bodyLimitBytes,
  type ErrorAnswer,
  type ErrorBody,
  type LookAtOnce,
} from '@shardnode/core/http-server';
import { type ServiceError } from '@shardnode/core/errors';
import { type Asked, type AskedBefore } from './asked-before.js';
import { type Clients } from './plans.js';
import { type ReadyText } from './ready-text.js';

export interface LookPorts {
  readonly askedBefore: AskedBefore;
  readonly clients: Clients;
  /** Whether a request with this key, or none, is served; who is not gets its refusal the usual way. */
  readonly mayAsk: (key: unknown) => boolean;
  /** What every submit is told now; undefined: it has to be read. */
  readonly refusalOfSubmits: () => ServiceError | undefined;
  /** A submit is going to be read, until what this returns is called. */
  readonly readsSubmit: () => () => void;
  readonly errorBody: ErrorBody;
}

/** Routes that take signed transactions. */
const submits: ReadonlySet<string> = new Set(['/transactions/submit', '/multisig/submit']);

/** What fails here fails the usual way too, where errors have their form. */
const readyText = ({ asking }: Asked, clients: Clients): ReadyText => {
  try {
    return asking.atOnce?.(clients);
  } catch {
    return undefined;
  }
};

interface MadeRefusal {
  readonly of: ServiceError;
  readonly body: ErrorAnswer['body'];
  readonly refusal: NonNullable<AnswerAtOnce['refusal']>;
}

/** Of the usual way, made once for each error. */
const refuser = (errorBody: ErrorBody) => {
  let made: MadeRefusal | undefined;
  return (error: ServiceError, route: string, requestId: string): AnswerAtOnce => {
    if (made?.of !== error) {
      const { status, headers, body } = answerOfError(error, bodyLimitBytes);
      made = { of: error, body, refusal: { status, headers: Object.entries(headers).flat() } };
    }
    return { route, text: JSON.stringify(errorBody(made.body, requestId)), refusal: made.refusal };
  };
};

/** Finds answers of requests that were asked before, if everything that they need is there, and refuses what nobody has time for. */
export const lookAtOnceOf = (ports: LookPorts): LookAtOnce => {
  const { askedBefore, clients, mayAsk, refusalOfSubmits, readsSubmit, errorBody } = ports;
  const refuse = refuser(errorBody);
  const refusalOf = (route: string, key: unknown, requestId: string): AnswerAtOnce | undefined => {
    const error = mayAsk(key) ? refusalOfSubmits() : undefined;
    return error && refuse(error, route, requestId);
  };
  return (request, requestId) => {
    const { method, url, headers } = request;
    if (method === 'POST') {
      const key = headers['x-api-key'];
      if (!submits.has(url!) || !mayAsk(key)) return undefined;
      const error = refusalOfSubmits();
      if (error) return { ...refuse(error, url!, requestId()), again: (nextId) => refusalOf(url!, key, nextId) };
      // When its body has ended, or nobody will read it any more.
      request.once('close', readsSubmit());
      return undefined;
    }
    const asked = askedBefore.get(url!);
    if (!asked || !mayAsk(headers['x-api-key'])) return undefined;
    const text = readyText(asked, clients);
    return text === undefined ? undefined : { route: asked.route, text };
  };
};

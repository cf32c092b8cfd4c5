import { type LookAtOnce } from '@shardnode/core/http-server';
import { type Asked, type AskedBefore } from './asked-before.js';
import { type Clients } from './plans.js';
import { type ReadyText } from './ready-text.js';

export interface LookPorts {
  readonly askedBefore: AskedBefore;
  readonly clients: Clients;
  /** Whether a request with this key, or none, is served; who is not gets its refusal the usual way. */
  readonly mayAsk: (key: unknown) => boolean;
}

/** What fails here fails the usual way too, where errors have their form. */
const readyText = ({ asking }: Asked, clients: Clients): ReadyText => {
  try {
    return asking.atOnce?.(clients);
  } catch {
    return undefined;
  }
};

/** Finds answers of requests that were asked before, if everything that they need is there. */
export const lookAtOnceOf =
  ({ askedBefore, clients, mayAsk }: LookPorts): LookAtOnce =>
  ({ url, headers }) => {
    const asked = askedBefore.get(url!);
    if (!asked || !mayAsk(headers['x-api-key'])) return undefined;
    const text = readyText(asked, clients);
    return text === undefined ? undefined : { route: asked.route, text };
  };

import { type ErrorCode } from '@shardnode/http';
import { type GatewayConfiguration } from '../../src/index.js';
import { type GroupScript } from '../fakes/fake-group.js';
import { type Answer, type FakeGateway } from '../fakes/fake-network.js';
import { type WalletScript } from '../fakes/fake-wallet.js';

/** Method, path, body, headers. */
export type Call = readonly [string, string, unknown?, Record<string, string>?];

/**
 * A request that meets an error, and the whole of what it is told. The gateway is real; services behind it answer what `groups`
 * and `wallet` say, which is where the real rule runs and refuses.
 */
export interface ErrorCase {
  readonly code: ErrorCode;
  /** What is special, where a code has several cases. */
  readonly when?: string;
  readonly call: Call | ((gateway: FakeGateway) => Promise<Answer>);
  readonly groups?: GroupScript;
  readonly wallet?: WalletScript;
  /** Settings that make the case. */
  readonly gateway?: Partial<GatewayConfiguration>;
  /** Our own text, whole. */
  readonly detail: string;
  /**
   * The text of profile `reference`, where it differs; `not there`: that profile does not refuse this.
   */
  readonly documented?: string;
  /** `X-Error-Field`, `X-Error-Next`: absent where the answer has none. */
  readonly field?: string;
  readonly next?: string;
}

import { type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { type SecretReader } from '../../configuration/secret-file.js';
import { sleep, type Clock } from '../../lifecycle/clock.js';
import { tlsProblem, type TlsReader } from '../../tls/index.js';

/** Milliseconds. A silent server is detected after two to three pings. */
const times = { connectAttempt: 2_000, betweenAttempts: 250, ping: 1_500 };

/** Addresses of the bus servers and the credentials of a member. */
export interface NatsAccess {
  /** `nats://host:port`; a lost connection is replaced by one to any of them. */
  readonly servers: readonly string[];
  readonly user?: string | undefined;
  /** Password of that user; a function is called for each new connection. */
  readonly password?: string | SecretReader | undefined;
  /** Called for each new connection. If set, connections require TLS. */
  readonly tls?: TlsReader | undefined;
}

export interface NatsServers extends NatsAccess {
  /** Milliseconds within which the first connection must succeed. */
  readonly connectWithinMs: number;
}

/** Loaded on demand: a network in one process does not need it. */
const loadLibrary = () => import('@nats-io/transport-node');

/** `nats://host:4222, nats://other:4222`, without credentials. */
const describeServers = (servers: readonly string[]): string =>
  servers.map((server) => server.replace(/\/\/[^@/]*@/, '//')).join(', ');

/**
 * Connects, and reconnects without limit after a loss. Retries the first connection for `connectWithinMs`.
 * @throws Error after that time, or when the server refuses the user; the message says what to do
 */
export const connectTo = async (
  name: string,
  inbox: string,
  to: NatsServers,
  clock: Clock,
): Promise<NatsConnection> => {
  const { connect, AuthorizationError } = await loadLibrary();
  const startedAt = clock.monotonic();
  const where = describeServers(to.servers);
  for (;;) {
    const left = to.connectWithinMs - (clock.monotonic() - startedAt);
    try {
      return await connect(optionsOf(name, inbox, to, Math.min(times.connectAttempt, Math.max(left, 100))));
    } catch (error) {
      if (error instanceof AuthorizationError) {
        const user = to.user === undefined ? 'a connection without a user' : `the user ${to.user}`;
        throw new Error(`the NATS server at ${where} refuses ${user}: check NATS_USER and NATS_PASSWORD`, {
          cause: error,
        });
      }
      const insecure = tlsProblem(error);
      if (insecure !== undefined) {
        throw new Error(
          `there is no secure connection to the NATS server at ${where}: ${insecure}; look at NATS_TLS_CA, NATS_TLS_CERT and NATS_TLS_KEY, and at the certificate of the server`,
          { cause: error },
        );
      }
      if (left <= times.betweenAttempts) {
        const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer';
        const seconds = to.connectWithinMs / 1_000;
        throw new Error(
          `no NATS server answers at ${where} within ${seconds} s (${reason}): start one there, or set NATS_URL`,
          { cause: error },
        );
      }
    }
    await sleep(clock, times.betweenAttempts);
  }
};

const optionsOf = (name: string, inbox: string, to: NatsServers, timeout: number): ConnectionOptions => ({
  name,
  servers: [...to.servers],
  ...(to.user === undefined ? {} : { authenticator: loginOf(to.user, to.password) }),
  ...(to.tls === undefined ? {} : { tls: securedBy(to.tls) }),
  inboxPrefix: inbox,
  timeout,
  // By default the library gives up after some 20 s, and at once after two refused logins.
  maxReconnectAttempts: -1,
  ignoreAuthErrorAbort: true,
  reconnectTimeWait: times.betweenAttempts,
  pingInterval: times.ping,
  maxPingOut: 2,
  noAsyncTraces: true,
});

const loginOf =
  (user: string, password: NatsAccess['password']): (() => { user: string; pass: string }) =>
  () => ({ user, pass: (typeof password === 'function' ? password() : password) ?? '' });

/** The library reads these at each connection attempt. */
const securedBy = (tls: TlsReader): NonNullable<ConnectionOptions['tls']> => ({
  get ca() {
    return tls().ca;
  },
  get cert() {
    return tls().cert;
  },
  get key() {
    return tls().key;
  },
});

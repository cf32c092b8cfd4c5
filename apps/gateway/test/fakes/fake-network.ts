import { createInProcessNetwork } from '@shardnode/core/bus';
import { type Cache } from '@shardnode/core/cache';
import { startInOrder, stopInReverse, systemClock, type Clock } from '@shardnode/core/lifecycle';
import { createLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { developmentNetwork } from '@shardnode/protocol/network';
import { create, defaultGatewayChoices, type GatewayConfiguration, type GatewayPorts } from '../../src/index.js';
import { createFakeGroup, type GroupScript } from './fake-group.js';
import { createFakeWallet, type WalletScript } from './fake-wallet.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; the text where it is none. */
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** A gateway on a real port. */
export interface FakeGateway {
  readonly base: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface FakeGatewayPorts {
  readonly cache?: Cache;
  readonly clock?: Clock;
}

/** A gateway on a real port over the bus, with group-nodes and a wallet-service that answer what a test says. */
export interface FakeNetwork extends FakeGateway {
  readonly groups: GroupScript;
  readonly wallet: WalletScript;
  /** Everything that the gateway logged. */
  readonly log: string[];
  stopGroup(group: number): Promise<void>;
  startGroup(group: number): Promise<void>;
  /** One more gateway of the same network. */
  addGateway(
    configuration?: Partial<GatewayConfiguration>,
    ports?: FakeGatewayPorts,
  ): Promise<FakeGateway & { stop(): Promise<void> }>;
  stop(): Promise<void>;
}

const ns = 'test';
const groupCount = 4;

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: the text is the body.
  }
  return { status: response.status, headers: response.headers, text, body };
};

const sender =
  (base: string): FakeGateway['send'] =>
  async (method, path, body, headers = {}) =>
    answerOf(
      await fetch(`${base}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        redirect: 'manual',
      }),
    );

const createGateway = (
  configuration: Partial<GatewayConfiguration>,
  ports: FakeGatewayPorts & Pick<GatewayPorts, 'network' | 'logger'>,
): Promise<RunningService> =>
  create(
    {
      ...defaultGatewayChoices,
      ns,
      network: developmentNetwork,
      http: { host: '127.0.0.1', port: 0 },
      corsOrigins: ['*'],
      accessLog: true,
      ...configuration,
    },
    { clock: systemClock, ...ports },
  );

const baseOf = ({ port }: RunningService): string => `http://127.0.0.1:${port}`;

export const startFakeNetwork = async (
  configuration: Partial<GatewayConfiguration> = {},
  ports: FakeGatewayPorts = {},
): Promise<FakeNetwork> => {
  const log: string[] = [];
  const logger = createLogger({ destination: { write: (line: string) => void log.push(line) } });
  const quiet = createLogger({ level: 'silent' });
  const network = createInProcessNetwork();
  const script: GroupScript = {
    'read.node.status': (_request, group) => ({ group, synced: true, mempoolSize: 0 }),
  };
  const walletScript: WalletScript = {};
  const newGroup = (group: number): Promise<RunningService> =>
    createFakeGroup(network, { ns, group, groups: groupCount, script, logger: quiet });
  const groups = await Promise.all(Array.from({ length: groupCount }, (_, group) => newGroup(group)));
  const wallet = await createFakeWallet(network, { ns, script: walletScript, logger: quiet });
  const gateways = [await createGateway(configuration, { ...ports, network, logger })];
  await startInOrder([...groups, wallet, ...gateways]);
  const base = baseOf(gateways[0]!);
  return {
    base,
    groups: script,
    wallet: walletScript,
    log,
    stopGroup: (group) => groups[group]!.stop(),
    startGroup: async (group) => {
      groups[group] = await newGroup(group);
      await groups[group].start();
    },
    send: sender(base),
    addGateway: async (otherConfiguration = {}, otherPorts = {}) => {
      const gateway = await createGateway(otherConfiguration, { ...otherPorts, network, logger });
      await gateway.start();
      gateways.push(gateway);
      return { base: baseOf(gateway), send: sender(baseOf(gateway)), stop: () => gateway.stop() };
    },
    stop: async () => {
      await stopInReverse([...groups, wallet, ...gateways]);
      await network.close();
    },
  };
};

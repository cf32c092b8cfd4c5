import { busIdOf, openNatsNetwork, wantedPayload } from '@shardnode/core/bus';
import { isLoopback } from '@shardnode/core/hosts';
import { silentLogger } from '@shardnode/core/observability';
import { firstWords } from '@shardnode/core/process';
import { busAccess } from '@shardnode/core/service';
import { type GroupClient, groupClient } from '@shardnode/messages';
import { bytesText } from '../terminal/quantities.js';
import { type Finding, fault, ok, warning } from './finding.js';
import { type DoctorSettings } from './settings.js';

/** Milliseconds. */
const patience = 3_000;

/** Facts that a server of the bus sends before a login. */
interface Introduction {
  readonly max_payload?: number;
  readonly auth_required?: boolean;
  readonly version?: string;
  readonly cluster?: string;
  readonly server_id?: string;
}

export interface BusCheck {
  readonly findings: readonly Finding[];
  /** See `BusConnection.busId`: of the servers that respond. */
  readonly busIds: readonly string[];
  /** For further checks; undefined without access. */
  readonly client?: GroupClient;
  close(): Promise<void>;
}

const introductionOf = async (url: string): Promise<Introduction> => {
  const words = await firstWords(url, 4222, { withinMs: patience });
  if (!words.startsWith('INFO ')) throw new Error('another program listens there');
  return JSON.parse(words.slice(5, words.indexOf('\r\n'))) as Introduction;
};

interface ServerCheck {
  readonly findings: readonly Finding[];
  readonly busId?: string | undefined;
}

const checkServer = async (url: string): Promise<ServerCheck> => {
  const what = `bus ${new URL(url).host}`;
  try {
    const introduction = await introductionOf(url);
    const { version, max_payload: limit = 0, auth_required: isGuarded } = introduction;
    const findings: Finding[] = [ok('bus', what, `NATS ${version ?? ''} answers`)];
    if (limit < wantedPayload) {
      findings.push(
        fault(
          'bus-payload',
          what,
          `it takes messages of ${bytesText(limit)} at most, so large blocks cannot travel between groups`,
          'Set max_payload: 8MB in the configuration of NATS and reload it.',
        ),
      );
    }
    if (isGuarded !== true && !isLoopback(new URL(url).hostname)) {
      findings.push(
        warning(
          'bus-open',
          what,
          'it has no users: every client that reaches it can act as any service',
          'Give it users (docs/credentials.md).',
        ),
      );
    }
    return { findings, busId: busIdOf(introduction) };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    const text = `no NATS server answers (${reason}): services do not hear each other`;
    return { findings: [fault('bus-down', what, text, 'Start NATS, or set NATS_URL to where it is.')] };
  }
};

/** Checks that the servers of the bus respond and grant access. */
export const checkBus = async ({ settings, network }: DoctorSettings): Promise<BusCheck> => {
  const servers = await Promise.all(settings.NATS_URL.map(checkServer));
  const findings = servers.flatMap((server) => server.findings);
  const busIds = servers.flatMap(({ busId }) => busId ?? []);
  const close = async (): Promise<void> => undefined;
  if (findings.every(({ code }) => code === 'bus-down')) return { findings, busIds, close };
  const bus = openNatsNetwork({ ...busAccess(settings), logger: silentLogger, connectWithinMs: patience });
  try {
    const joined = await bus.join({ sender: { service: 'operator' }, logger: silentLogger });
    const client = groupClient(joined.bus, { ns: settings.NATS_NAMESPACE, groups: network.groups });
    const user = settings.NATS_USER === undefined ? 'without a user' : `as ${settings.NATS_USER}`;
    const entered = ok('bus-access', 'bus', `it lets this program in ${user}`);
    return { findings: [...findings, entered], busIds, client, close: () => bus.close() };
  } catch (error) {
    await bus.close();
    const refusal = fault(
      'bus-refused',
      'bus',
      `${(error as Error).message}`,
      'NATS_USER is operator; its password is the file nats/operator of `operator credentials` (docs/credentials.md).',
    );
    return { findings: [...findings, refusal], busIds, close };
  }
};

import { openNatsNetwork } from '@shardnode/core/bus';
import { type Environment } from '@shardnode/core/configuration';
import { busAccess } from '@shardnode/core/service';
import { silentLogger } from '@shardnode/core/observability';
import { groupClient } from '@shardnode/messages';
import { CommandFailure } from '../command.js';
import { readReach } from '../settings.js';
import { type OpenedNetwork } from './opened-network.js';

/** Milliseconds in which a server of the bus must respond; the shorter one for optional access. */
const [patience, shortPatience] = [5_000, 1_000];

const sentence = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. \`doctor\` finds out more.`;
};

/**
 * A running network, over its bus.
 * @throws CommandFailure when the bus does not respond or refuses access; ConfigurationError
 */
export const openRunningNetwork = async (
  environment: Environment,
  connectWithinMs = patience,
): Promise<OpenedNetwork> => {
  const { settings, network } = readReach(environment);
  const { NATS_NAMESPACE: ns } = settings;
  const access = busAccess(settings);
  const bus = openNatsNetwork({ ...access, logger: silentLogger, connectWithinMs });
  try {
    const joined = await bus.join({ sender: { service: 'operator' }, logger: silentLogger });
    return {
      client: groupClient(joined.bus, { ns, groups: network.groups }),
      settings: network,
      name: `the network ${ns} at ${access.servers.join(', ')}`,
      close: () => bus.close(),
    };
  } catch (error) {
    await bus.close();
    throw new CommandFailure(sentence(error), { cause: error });
  }
};

/** The same for a command with optional access: undefined when no bus is reachable. */
export const findRunningNetwork = async (environment: Environment): Promise<OpenedNetwork | undefined> => {
  try {
    return await openRunningNetwork(environment, shortPatience);
  } catch (error) {
    if (error instanceof CommandFailure) return undefined;
    throw error;
  }
};

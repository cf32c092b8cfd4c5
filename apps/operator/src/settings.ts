import { z } from 'zod';
import { readConfiguration, type Environment } from '@shardnode/core/configuration';
import { busSettings } from '@shardnode/core/process';
import { networkSettings, readNetwork } from '@shardnode/messages/network';

/** Variables with which the operator's program reaches a running network: those of its services. */
const reachSettings = z.object({ ...busSettings, ...networkSettings });

/** @throws ConfigurationError */
export const readReach = (environment: Environment) => {
  const settings = readConfiguration(reachSettings, environment);
  return { settings, network: readNetwork(settings) };
};

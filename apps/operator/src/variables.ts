import { variablesOf } from '@shardnode/core/configuration';
import { serverSettings } from './credentials/servers.js';
import { operatorDatabaseSettings } from './databases/settings.js';
import { doctorSettings } from './doctor/settings.js';

/** All variables that a command may read. */
export const variablesOfOperator: readonly string[] = [
  doctorSettings,
  operatorDatabaseSettings,
  serverSettings,
].flatMap((schema) => variablesOf(schema));

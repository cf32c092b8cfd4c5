import { developmentKeys, type TestKey } from '@shardnode/testing/keys';
import { apiClient, type ApiClient } from './api-client.js';
import { type Environment } from './child-process.js';
import { type Deployment, type Ready } from './deployment.js';
import { deploymentUnderTest } from './deployment-under-test.js';

/** A network under test with a client, and the keys of the accounts that its genesis funds. */
export interface Network {
  readonly deployment: Deployment;
  readonly api: ApiClient;
  readonly ready: Ready;
  /** Number g is of group g. */
  readonly funded: readonly TestKey[];
  remove(): Promise<void>;
}

/** A network that is ready. `LOG_LEVEL` and `SHOW_LOG=1` of the test run show what it did. */
export const startNetwork = async (settings: Environment = {}): Promise<Network> => {
  const { LOG_LEVEL } = process.env;
  const deployment = deploymentUnderTest({ ...(LOG_LEVEL === undefined ? {} : { LOG_LEVEL }), ...settings });
  try {
    const ready = await deployment.start();
    const api = apiClient(() => deployment.baseUrl);
    const remove = async (): Promise<void> => {
      api.close();
      if (process.env['SHOW_LOG'] === '1') process.stderr.write(deployment.log());
      await deployment.remove();
    };
    return { deployment, api, ready, funded: await developmentKeys(), remove };
  } catch (error) {
    await deployment.remove();
    throw error;
  }
};

/** Full figures with `LONG=1`, short ones otherwise. */
export const isLong = process.env['LONG'] === '1';

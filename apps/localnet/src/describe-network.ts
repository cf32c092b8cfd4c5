import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { fundedAccounts } from './accounts.js';
import { type Announcement } from './announcement.js';
import { developmentMnemonic } from './development-mnemonic.js';
import { waitUntilReady } from './wait-until-ready.js';

const miningTexts = {
  instant: 'instant: a submitted transaction is mined at once',
  interval: 'interval: blocks on every chain, again and again',
  off: 'off: only on request, POST /miners/cpu-mining/mine-one-block',
} as const;

/** A network that has been started. */
export interface StartedNetwork {
  readonly settings: {
    readonly HOST: string;
    readonly MINING: keyof typeof miningTexts;
    readonly API_KEY: string | undefined;
  };
  readonly network: NetworkSettings;
  readonly dataDir: string;
  /** Port of the API. */
  readonly port: number;
  /** Names and ports of the services behind the gateway. */
  readonly inner: readonly { readonly name: string; readonly port: number }[];
}

/** What is announced of a network, once it is ready: nothing is announced before it can be used. */
export const describeNetwork = async (started: StartedNetwork): Promise<Announcement> => {
  const { settings, network, dataDir, port, inner } = started;
  const host = settings.HOST === '0.0.0.0' ? '127.0.0.1' : settings.HOST;
  const baseUrl = `http://${host}:${port}`;
  await waitUntilReady(baseUrl);
  return {
    baseUrl,
    docsUrl: `${baseUrl}/docs`,
    dataDir,
    mining: miningTexts[settings.MINING],
    networkId: network.networkId,
    services: [
      { name: 'gateway', url: baseUrl },
      ...inner.map((service) => ({ name: service.name, url: `http://127.0.0.1:${service.port}` })),
    ],
    accounts: await fundedAccounts(network, baseUrl, settings.API_KEY),
    ...(network === developmentNetwork ? { mnemonic: developmentMnemonic } : {}),
  };
};

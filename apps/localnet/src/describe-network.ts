import { isLoopback } from '@shardnode/gateway';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { fundedAccounts, withBalances, type FundedAccount } from './accounts.js';
import { type Announcement } from './announcement.js';
import { developmentMnemonic } from './development-accounts.js';
import { developmentWallet, openDevelopmentWallet } from './development-wallet.js';
import { ownApi, type OwnApi } from './own-api.js';
import { waitUntilReady } from './wait-until-ready.js';

const miningTexts = {
  instant: 'instant: a submitted transaction is in a block when the answer comes',
  interval: 'interval: blocks on every chain, again and again',
  off: 'off: only on request, POST /miners/cpu-mining/mine-one-block?fromGroup=0&toGroup=1',
} as const;

/** A network that has been started. */
export interface StartedNetwork {
  readonly settings: {
    readonly HOST: string;
    readonly MINING: keyof typeof miningTexts;
    readonly MINING_HEARTBEAT: number;
    readonly API_KEY: string | undefined;
    readonly COIN_SYMBOL: string;
    readonly WALLET_ENABLED: boolean;
    readonly WALLET_LOCK_TIMEOUT: number;
    readonly DEV_WALLET: boolean;
  };
  readonly network: NetworkSettings;
  readonly dataDir: string;
  /** Port of the API. */
  readonly port: number;
  /** Names and ports of the services behind the gateway. */
  readonly inner: readonly { readonly name: string; readonly port: number }[];
}

/** Only where everybody knows its mnemonic anyway, and only for this machine: whoever reaches the API can spend from it. */
const mayHaveWallet = ({ settings, network }: StartedNetwork): boolean =>
  network === developmentNetwork && settings.DEV_WALLET && settings.WALLET_ENABLED && isLoopback(settings.HOST);

const walletOf = async (
  started: StartedNetwork,
  accounts: readonly FundedAccount[],
  api: OwnApi,
): Promise<Pick<Announcement, 'wallet'>> => {
  if (!mayHaveWallet(started) || !(await openDevelopmentWallet(api, accounts))) return {};
  return { wallet: { ...developmentWallet, locksAfterSeconds: started.settings.WALLET_LOCK_TIMEOUT } };
};

const webSocketOf = async (api: OwnApi): Promise<string> => {
  const { nodes } = (await api.ask('GET', '/infos/self-clique')).body as { nodes: readonly { wsPort: number }[] };
  const url = new URL('/events', api.baseUrl);
  url.protocol = 'ws:';
  url.port = String(nodes[0]!.wsPort);
  return url.href;
};

/** What is announced of a network, once it is ready: nothing is announced before it can be used. */
export const describeNetwork = async (started: StartedNetwork): Promise<Announcement> => {
  const { settings, network, dataDir, port, inner } = started;
  const host = settings.HOST === '0.0.0.0' ? '127.0.0.1' : settings.HOST;
  const baseUrl = `http://${host}:${port}`;
  const api = ownApi(baseUrl, settings.API_KEY);
  const accounts = fundedAccounts(network);
  // A password takes half a second, on another thread: meanwhile the group-nodes get ready.
  const [wallet] = await Promise.all([walletOf(started, accounts, api), waitUntilReady(baseUrl)]);
  return {
    baseUrl,
    docsUrl: `${baseUrl}/docs`,
    wsUrl: await webSocketOf(api),
    dataDir,
    mining: miningTexts[settings.MINING],
    heartbeatSeconds: settings.MINING === 'instant' ? settings.MINING_HEARTBEAT : 0,
    networkId: network.networkId,
    coinSymbol: settings.COIN_SYMBOL,
    services: [
      { name: 'gateway', url: baseUrl },
      ...inner.map((service) => ({ name: service.name, url: `http://127.0.0.1:${service.port}` })),
    ],
    accounts: await withBalances(accounts, api),
    ...(network === developmentNetwork ? { mnemonic: developmentMnemonic } : {}),
    ...wallet,
  };
};

import { httpUrl, reachableHost } from '@shardnode/core/hosts';
import { brandOf } from '@shardnode/gateway';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { fundedAccounts, withBalances } from './accounts.js';
import { type Announcement } from './announcement.js';
import { developmentMnemonic } from './development-accounts.js';
import { developmentWallet } from './development-wallet.js';
import { ownApi, type OwnApi } from './own-api.js';
import { waitUntilReady } from './wait-until-ready.js';

const miningTexts = {
  instant: 'instant: a transaction is mined before its submit returns',
  interval: 'interval: blocks on every chain, again and again',
  off: 'off: only on request, POST /miners/cpu-mining/mine-one-block?fromGroup=0&toGroup=1',
} as const;

/** A started network. */
export interface StartedNetwork {
  readonly settings: {
    readonly HOST: string;
    readonly MINING: keyof typeof miningTexts;
    readonly MINING_HEARTBEAT: number;
    readonly API_KEY: string | undefined;
    readonly API_PROFILE: 'document' | 'reference';
    readonly COIN_NAME: string | undefined;
    readonly COIN_SYMBOL: string | undefined;
    readonly WALLET_LOCK_TIMEOUT: number;
  };
  readonly network: NetworkSettings;
  readonly dataDir: string;
  /** Port of the API. */
  readonly port: number;
  /** Port of the explorer; undefined: there is none. */
  readonly explorerPort?: number | undefined;
  /** Names and ports of the services behind the gateway. */
  readonly inner: readonly { readonly name: string; readonly port: number }[];
  /** Whether the wallet of the development network exists and is unlocked. */
  readonly hasDevelopmentWallet?: Promise<boolean>;
}

const webSocketOf = async (api: OwnApi): Promise<string> => {
  const { nodes } = (await api.get('/infos/self-clique')) as { nodes: readonly { wsPort: number }[] };
  const url = new URL('/events', api.baseUrl);
  url.protocol = 'ws:';
  url.port = String(nodes[0]!.wsPort);
  return url.href;
};

/** The announcement of a network, once it is ready: nothing is announced before it can be used. */
export const describeNetwork = async (started: StartedNetwork): Promise<Announcement> => {
  const { settings, network, dataDir, port, inner, explorerPort } = started;
  const host = reachableHost(settings.HOST);
  const baseUrl = httpUrl(host, port);
  const api = ownApi(baseUrl, settings.API_KEY);
  await waitUntilReady(baseUrl);
  const wallet = { ...developmentWallet, locksAfterSeconds: settings.WALLET_LOCK_TIMEOUT };
  return {
    baseUrl,
    docsUrl: `${baseUrl}/docs`,
    ...(explorerPort === undefined ? {} : { explorerUrl: httpUrl(host, explorerPort) }),
    wsUrl: await webSocketOf(api),
    dataDir,
    mining: miningTexts[settings.MINING],
    heartbeatSeconds: settings.MINING === 'instant' ? settings.MINING_HEARTBEAT : 0,
    node: process.versions.node,
    networkId: network.networkId,
    coinSymbol: brandOf(settings).coinSymbol,
    profile: settings.API_PROFILE,
    services: [
      { name: 'gateway', url: baseUrl },
      ...inner.map(({ name, port: of }) => ({ name, url: httpUrl(name === 'explorer' ? host : '127.0.0.1', of) })),
    ],
    accounts: await withBalances(fundedAccounts(network), api),
    ...(network === developmentNetwork ? { mnemonic: developmentMnemonic } : {}),
    ...((await started.hasDevelopmentWallet) ? { wallet } : {}),
  };
};

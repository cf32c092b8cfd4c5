import { defaultGatewayChoices, type GatewayConfiguration } from '@shardnode/gateway';
import { defaultNodeChoices, type GroupNodeConfig } from '@shardnode/group-node';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { defaultWalletChoices, type WalletServiceConfiguration } from '@shardnode/wallet-service';

export const ns = 'simulation';

const noPort = { host: '127.0.0.1', port: 0, listens: false };

/** A group-node as in a local deployment, without ports and threads. */
export const nodeConfiguration = (settings: NetworkSettings, group: number): GroupNodeConfig => ({
  ...defaultNodeChoices,
  ns,
  group,
  settings,
  ...noPort,
  threads: false,
  minerAddresses: Array.from({ length: settings.groups }, (_, to) => testKeyOfGroup(to).lockupScript),
});

/** A gateway as in a local deployment, without ports. */
export const gatewayConfiguration = (network: NetworkSettings): GatewayConfiguration => ({
  ...defaultGatewayChoices,
  ns,
  network,
  http: noPort,
});

/** A wallet-service as in a local deployment, without a port. Wallets lock themselves soon. */
export const walletConfiguration = ({ networkId, groups }: NetworkSettings): WalletServiceConfiguration => ({
  ...defaultWalletChoices,
  ns,
  networkId,
  groups,
  health: noPort,
  lockTimeoutMs: 20_000,
});

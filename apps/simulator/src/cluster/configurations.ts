import { type GatewayConfiguration } from '@shardnode/gateway';
import { type GroupNodeConfig } from '@shardnode/group-node';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { type WalletServiceConfiguration } from '@shardnode/wallet-service';

export const ns = 'simulation';

const noPort = { host: '127.0.0.1', port: 0, listens: false };

/** A group-node as in a local deployment, without ports and threads. */
export const nodeConfiguration = (settings: NetworkSettings, group: number): GroupNodeConfig => ({
  ns,
  group,
  settings,
  ...noPort,
  threads: false,
  mining: 'instant',
  minerAddresses: Array.from({ length: settings.groups }, (_, to) => testKeyOfGroup(to).lockupScript),
});

/** A gateway as in a local deployment, without ports. */
export const gatewayConfiguration = (network: NetworkSettings): GatewayConfiguration => ({
  ns,
  network,
  http: noPort,
  accessLog: false,
});

/** A wallet-service as in a local deployment, without a port. Wallets lock themselves soon. */
export const walletConfiguration = ({ networkId, groups }: NetworkSettings): WalletServiceConfiguration => ({
  ns,
  networkId,
  groups,
  health: noPort,
  lockTimeoutMs: 20_000,
  keyDerivations: 2,
});

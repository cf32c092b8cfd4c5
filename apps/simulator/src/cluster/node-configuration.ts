import { type GroupNodeConfig } from '@shardnode/group-node';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { testKeyOfGroup } from '@shardnode/testing/keys';

export const ns = 'simulation';

/** A group-node as in a local deployment, without ports and threads. */
export const configOf = (settings: NetworkSettings, group: number): GroupNodeConfig => ({
  ns,
  group,
  settings,
  host: '127.0.0.1',
  port: 0,
  listens: false,
  threads: false,
  mining: 'instant',
  minerAddresses: Array.from({ length: settings.groups }, (_, to) => testKeyOfGroup(to).lockupScript),
});

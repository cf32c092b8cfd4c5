import { type GroupClient } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** The group-nodes of a network, with the access of its operator. */
export interface OpenedNetwork {
  readonly client: GroupClient;
  readonly settings: NetworkSettings;
  /** For people. */
  readonly name: string;
  close(): Promise<void>;
}

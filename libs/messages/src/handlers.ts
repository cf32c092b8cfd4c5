import { eventHandler, requestHandler, type HandlerDecorator } from '@shardnode/core/bus';
import { type DevelopmentRequestName, type DevelopmentRequests } from './development-requests.js';
import { type ExplorerEventName, type ExplorerEvents } from './explorer-events.js';
import { type FeedEventName, type FeedEvents } from './feed-events.js';
import { type GroupRequestName, type GroupRequests } from './group-requests.js';
import { type PeerEventName, type PeerEvents } from './peer-events.js';
import { type WalletRequestName, type WalletRequests } from './wallet-requests.js';

/**
 * Decorators for handlers: `(payload, context) => reply`. The method must have the types of the table, so a wrong
 * payload or reply does not compile.
 */
export const HandlesGroupRequest = <Name extends GroupRequestName>(
  name: Name,
): HandlerDecorator<GroupRequests[Name]['request'], GroupRequests[Name]['reply']> => requestHandler(name);

export const HandlesWalletRequest = <Name extends WalletRequestName>(
  name: Name,
): HandlerDecorator<WalletRequests[Name]['request'], WalletRequests[Name]['reply']> => requestHandler(`wallet.${name}`);

export const HandlesDevelopmentRequest = <Name extends DevelopmentRequestName>(
  name: Name,
): HandlerDecorator<DevelopmentRequests[Name]['request'], DevelopmentRequests[Name]['reply']> =>
  requestHandler(`development.${name}`);

export const HandlesPeerEvent = <Name extends PeerEventName>(name: Name): HandlerDecorator<PeerEvents[Name], void> =>
  eventHandler(name);

export const HandlesFeedEvent = <Name extends FeedEventName>(name: Name): HandlerDecorator<FeedEvents[Name], void> =>
  eventHandler(name);

export const HandlesExplorerEvent = <Name extends ExplorerEventName>(
  name: Name,
): HandlerDecorator<ExplorerEvents[Name], void> => eventHandler(name);

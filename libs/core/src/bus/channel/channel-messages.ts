import { type ErrorFrame } from '../../errors/index.js';
import { type IncomingMessage } from '../bus-context.js';
import { type RequestOptions } from '../bus.js';
import { type Frame } from '../frame.js';
import { type Sender } from '../sender.js';

/** A message of the bus, its payload as a frame. */
export type CarriedMessage = Omit<IncomingMessage, 'payload'> & { readonly frame: Frame };

/** A subscription of a member at the far side. `key`: its number among those of the member. */
export interface FarSubscription {
  readonly key: number;
  readonly subject: string;
  readonly queue: string | undefined;
  readonly kind: 'request' | 'event';
}

/** The response to a request of the other side with this id. */
export type ChannelResponse =
  | { readonly type: 'reply'; readonly id: number; readonly frame: Frame }
  | { readonly type: 'failure'; readonly id: number; readonly error: ErrorFrame };

/** From a member at the far side to the network. `member`: its number on the channel. */
export type FromMember =
  | { readonly type: 'join'; readonly member: number; readonly sender: Sender }
  | { readonly type: 'leave'; readonly member: number }
  | { readonly type: 'listen'; readonly member: number; readonly id: number; readonly open: readonly FarSubscription[] }
  | {
      readonly type: 'request';
      readonly member: number;
      readonly id: number;
      readonly message: CarriedMessage;
      readonly options: RequestOptions;
    }
  | { readonly type: 'publish'; readonly member: number; readonly message: CarriedMessage }
  | ChannelResponse;

/** From the network to a member at the far side. A delivered request has an `id`. */
export type ToMember =
  | {
      readonly type: 'deliver';
      readonly member: number;
      readonly key: number;
      readonly id: number | undefined;
      readonly message: CarriedMessage;
    }
  | ChannelResponse;

import { errorOfFrame, frameOfError, type ServiceError } from '../../errors/index.js';
import { undecodableReply, unencodable } from '../bus-errors.js';
import { decodeFrame, encodeFrame, type Frame } from '../frame.js';
import { type Channel } from './channel.js';
import { type ChannelResponse } from './channel-messages.js';

/** Bytes that a message takes besides its payload; an estimate. */
const envelopeBytes = 200;

/** The size of a message with this frame on the channel. */
export const sizeOf = (frame: Frame): number => frame.data.length + envelopeBytes;

/** The payload of a frame. @throws FrameError */
export const payloadOf = ({ data, lengths = '' }: Frame): unknown => decodeFrame(data, lengths);

/** Sends the outcome of a request to the other side that waits for it under `id`. */
export const respond = async (channel: Channel, id: number, what: string, outcome: Promise<unknown>): Promise<void> => {
  const fail = (error: ServiceError): void =>
    channel.send({ type: 'failure', id, error: frameOfError(error) } satisfies ChannelResponse, envelopeBytes);
  let frame: Frame;
  try {
    const reply = await outcome;
    try {
      frame = encodeFrame(reply);
    } catch {
      return fail(unencodable(`the answer to ${what}`));
    }
  } catch (error) {
    // `Bus.request` and the handlers of a member reject with ServiceErrors alone.
    return fail(error as ServiceError);
  }
  channel.send({ type: 'reply', id, frame } satisfies ChannelResponse, sizeOf(frame));
};

interface OpenResponse {
  readonly subject: string;
  resolve(reply: unknown): void;
  reject(error: ServiceError): void;
}

/** Requests that the other side of a channel has not answered yet. */
export class OpenResponses {
  private readonly open = new Map<number, OpenResponse>();
  private lastId = 0;

  /** Calls `send` with the id of the request; resolves with the response to it. */
  expect(subject: string, send: (id: number) => void): { readonly response: Promise<unknown>; forget(): void } {
    const id = ++this.lastId;
    const response = new Promise<unknown>((resolve, reject) => this.open.set(id, { subject, resolve, reject }));
    send(id);
    return { response, forget: () => void this.open.delete(id) };
  }

  /** Takes a response; one that nobody waits for any more is dropped. */
  take(response: ChannelResponse): void {
    const waiting = this.open.get(response.id);
    if (!waiting) return;
    this.open.delete(response.id);
    if (response.type === 'failure') return waiting.reject(errorOfFrame(response.error));
    try {
      waiting.resolve(payloadOf(response.frame));
    } catch {
      waiting.reject(undecodableReply(waiting.subject));
    }
  }

  /** The other side has ended. */
  failAll(errorOf: (subject: string) => ServiceError): void {
    for (const { subject, reject } of this.open.values()) reject(errorOf(subject));
    this.open.clear();
  }
}

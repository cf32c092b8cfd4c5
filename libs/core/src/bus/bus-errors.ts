import { type ServiceError, coreError } from '../errors/index.js';
import { type RequestOptions } from './bus.js';
import { senderName, type Sender } from './sender.js';

export const noResponder = (subject: string, options: RequestOptions): ServiceError =>
  coreError('NoResponder', `${options.responder?.name ?? subject} is not available`, options.responder?.data);

export const deadlineExceeded = (subject: string, options: RequestOptions): ServiceError =>
  coreError(
    'DeadlineExceeded',
    `${options.responder?.name ?? subject} did not answer within ${options.deadlineMs} ms`,
    options.responder?.data,
  );

/** A fault of the wiring, never of a client: hence `broken`. */
export const senderNotPermitted = (sender: Sender, subject: string): ServiceError =>
  coreError('SenderNotPermitted', `${senderName(sender)} may not send ${subject}`);

/** The bus itself is away. `reason`: `did not come back within 1000 ms`, `was lost before the answer`. */
export const busUnavailable = (subject: string, options: RequestOptions, reason: string): ServiceError =>
  coreError(
    'BusUnavailable',
    `${options.responder?.name ?? subject} cannot be reached: the connection to the bus ${reason}`,
    options.responder?.data,
  );

/** The servers of the bus are set up for less than the services need: nothing that a client could do better. */
export const messageTooLarge = (what: string, bytes: number, limit: number): ServiceError =>
  coreError('MessageTooLarge', `${what} has ${bytes} bytes, the bus carries at most ${limit}`, {
    bytes,
    limit,
  });

/**
 * What was asked for is more than one message of the bus holds, large as it is set up: whoever asks can ask for less.
 * `what`: `the answer to read.chain.blocks`.
 */
export const answerTooLarge = (what: string, bytes: number, limit: number): ServiceError =>
  coreError(
    'AnswerTooLarge',
    `${what} has ${bytes} bytes, services send each other at most ${limit}: ask for less, a shorter interval, fewer calls, or one transaction in place of a block`,
  );

/** The payload holds what no frame can carry: a fault of the program. */
export const unencodable = (what: string): ServiceError =>
  coreError('UnencodableMessage', `${what} cannot be sent over the bus`);

/** The answer is not of the form that services speak: a fault of the responder, or a stranger on the bus. */
export const undecodableReply = (subject: string): ServiceError =>
  coreError('UndecodableReply', `the answer to ${subject} cannot be read`);

/** What the asker gets for a request that cannot be read. */
export const undecodableRequest = (problem: string): ServiceError =>
  coreError('InvalidMessage', `the message cannot be read: ${problem}`);

/** The server of the bus refuses: its permissions and the tables of the services differ. */
export const publishRefused = (subject: string, user: string): ServiceError =>
  coreError('SenderNotPermitted', `the bus does not let ${user} send ${subject}`);

/** The payload is not what the handler takes. `problem` names the field, never its value. */
export const invalidMessage = (pattern: string, problem: string): ServiceError =>
  coreError('InvalidMessage', `${pattern}: ${problem}`);

/** The responder is flooded: it says so at once instead of keeping more than it can answer. */
export const overloaded = (responder: Sender): ServiceError =>
  coreError(
    'Overloaded',
    `${senderName(responder)} has too many requests to answer; try again`,
    responder.service === 'group-node' && responder.member !== undefined ? { group: responder.member } : {},
  );

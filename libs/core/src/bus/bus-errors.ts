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

/** A fault of the wiring, never of a client. Hence `broken`. */
export const senderNotPermitted = (sender: Sender, subject: string): ServiceError =>
  coreError('SenderNotPermitted', `${senderName(sender)} may not send ${subject}`);

/** The bus is unreachable. `reason`: `did not come back within 1000 ms`, `was lost before the answer`. */
export const busUnavailable = (subject: string, options: RequestOptions, reason: string): ServiceError =>
  coreError(
    'BusUnavailable',
    `${options.responder?.name ?? subject} cannot be reached: the connection to the bus ${reason}`,
    options.responder?.data,
  );

/** The servers of the bus allow smaller messages than the services need. A client cannot avoid this. */
export const messageTooLarge = (what: string, bytes: number, limit: number): ServiceError =>
  coreError('MessageTooLarge', `${what} has ${bytes} bytes, the bus carries at most ${limit}`, {
    bytes,
    limit,
  });

/**
 * The response is larger than one message of the bus, although the bus is configured correctly. The caller can request
 * less.
 * @param what `the answer to read.chain.blocks`
 */
export const answerTooLarge = (what: string, bytes: number, limit: number): ServiceError =>
  coreError(
    'AnswerTooLarge',
    `${what} has ${bytes} bytes, services send each other at most ${limit}: ask for less, a shorter interval, fewer calls, or one transaction in place of a block`,
  );

/** The payload holds a value that no frame can carry: a fault of the program. */
export const unencodable = (what: string): ServiceError =>
  coreError('UnencodableMessage', `${what} cannot be sent over the bus`);

/** The response has a wrong form: a fault of the responder, or a foreign program on the bus. */
export const undecodableReply = (subject: string): ServiceError =>
  coreError('UndecodableReply', `the answer to ${subject} cannot be read`);

/** The response to a request that cannot be decoded. */
export const undecodableRequest = (problem: string): ServiceError =>
  coreError('InvalidMessage', `the message cannot be read: ${problem}`);

/** The server of the bus refuses a message: its permissions and the tables of the services differ. */
export const publishRefused = (subject: string, user: string): ServiceError =>
  coreError('SenderNotPermitted', `the bus does not let ${user} send ${subject}`);

/** The payload has a wrong form for the handler. `problem` names the field, never its value. */
export const invalidMessage = (pattern: string, problem: string): ServiceError =>
  coreError('InvalidMessage', `${pattern}: ${problem}`);

/** The responder is overloaded. It refuses at once, so that its pending requests stay bounded. */
export const overloaded = (responder: Sender): ServiceError =>
  coreError(
    'Overloaded',
    `${senderName(responder)} has too many requests to answer; try again`,
    responder.service === 'group-node' && responder.member !== undefined ? { group: responder.member } : {},
  );

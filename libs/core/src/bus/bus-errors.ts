import { ServiceError } from '../errors/index.js';
import { type RequestOptions } from './bus.js';
import { senderName, type Sender } from './sender.js';

export const noResponder = (subject: string, options: RequestOptions): ServiceError =>
  new ServiceError(
    'unavailable',
    'NoResponder',
    `${options.responder?.name ?? subject} is not available`,
    options.responder?.data,
  );

export const deadlineExceeded = (subject: string, options: RequestOptions): ServiceError =>
  new ServiceError(
    'unavailable',
    'DeadlineExceeded',
    `${options.responder?.name ?? subject} did not answer within ${options.deadlineMs} ms`,
    options.responder?.data,
  );

/** A fault of the wiring, never of a client: hence `broken`. */
export const senderNotPermitted = (sender: Sender, subject: string): ServiceError =>
  new ServiceError('broken', 'SenderNotPermitted', `${senderName(sender)} may not send ${subject}`);

import { type busErrorKinds, type ServiceError } from '@shardnode/core/errors';

const unanswered: ReadonlySet<string> = new Set<keyof typeof busErrorKinds>([
  'NoResponder',
  'DeadlineExceeded',
  'BusUnavailable',
]);

/** Whether a service did not answer a request. */
export const isUnanswered = ({ code }: ServiceError): boolean => unanswered.has(code);

/** Whether a request may have been executed although it failed. Without a responder it was not. */
export const mayBeExecuted = (error: ServiceError): boolean => isUnanswered(error) && error.code !== 'NoResponder';

import { serviceError } from '@shardnode/messages';

/**
 * Bytes that an event counts for besides its fields. The JSON of events has at least two characters for each byte that
 * is counted.
 */
export const bytesOfEvent = 100;

/** @throws ServiceError `AnswerTooLarge` */
export const checkEventBytes = (bytes: number, maxBytes: number): void => {
  if (bytes > maxBytes) {
    throw serviceError('AnswerTooLarge', `the events have ${bytes} bytes, at most ${maxBytes} fit: ask for fewer`);
  }
};

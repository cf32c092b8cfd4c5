import { type ServiceError } from '@shardnode/core/errors';
import { errorOf } from '@shardnode/http';
import { type EventItem } from '@shardnode/messages';
import { mostCharacters } from '../large-answers/most-characters.js';
import { joinedJson } from '../operations/joined-json.js';

/** The events of `source` are too many for one answer; `instead`: a narrower call. */
export const tooManyEvents = (source: string, instead: string): ServiceError =>
  errorOf(
    'AnswerTooLarge',
    `The events of ${source} are more than ${mostCharacters} bytes of JSON: ask for ${instead}.`,
    { limit: mostCharacters },
  );

/** Those of a transaction are the least that can be asked for. */
export const eventsOfBlockTooMany = (hash: string) => (): ServiceError =>
  tooManyEvents(`the block ${hash}`, 'those of each of its transactions, GET /events/tx-id/{txId}');

/** JSON of a list of events. @throws the error of `tooMany` above the budget of an answer; default: no bound */
export const eventsJson = (
  events: readonly EventItem[],
  formOf: (event: EventItem) => unknown,
  tooMany?: () => ServiceError,
): Promise<string> =>
  joinedJson(events, (event) => JSON.stringify(formOf(event)), tooMany && { mostCharacters, tooMany });

import { type busErrorKinds } from '@shardnode/core/errors';
import { type groupErrorKinds } from '@shardnode/messages';
import { type RowsOf } from './error-row.js';

const faultOfOurs = 'a fault of ours; the log has it under the request id';

/** Errors of services and of the bus that are no refusals by the rules. */
export const serviceCodes = {
  NotSynced: {
    kind: 'unavailable',
    meaning: 'a group-node is catching up: ask again in a few seconds',
    next: 'GET /infos/self-clique',
  },
  ClockOff: {
    kind: 'unavailable',
    meaning: 'the clock of a group-node is more than 5 s away from those of two others',
  },
  ChainSplit: {
    kind: 'unavailable',
    meaning:
      'a group-node refuses or lacks a block on which another one builds, so what it confirms may not last: its operator must act',
  },
  NoResponder: { kind: 'unavailable', meaning: 'a service that is needed is not there' },
  DeadlineExceeded: {
    kind: 'unavailable',
    meaning: 'a service that is needed is slow; after a submit, ask for the status before paying again',
    next: 'GET /transactions/status?txId={txId}',
  },
  BusUnavailable: { kind: 'unavailable', meaning: 'the bus between the services is away' },
  Overloaded: { kind: 'unavailable', meaning: 'a service has more requests than it can answer: ask again' },
  QueueFull: {
    kind: 'unavailable',
    meaning: 'a group has more work than it can do in time: wait as long as `Retry-After` says',
  },
  TooManyWaiting: { kind: 'unavailable', meaning: 'too many wait for blocks of other groups: ask again' },
  Stopping: { kind: 'unavailable', meaning: 'a service is being stopped: ask again' },
  StoreUnavailable: { kind: 'unavailable', meaning: 'the database of a service is away' },
  MempoolFull: { kind: 'unavailable', meaning: 'the mempool is full and kept nothing: submit again later' },
  TooManyUnminedAncestors: {
    kind: 'unavailable',
    meaning:
      'the mempool is at least half full, and the transaction depends on more than 25 that are not mined; from three quarters on, on any. Nothing is kept: put several destinations into one transaction, split outputs beforehand, or submit it again when they are mined',
  },
  NotThisGroup: { kind: 'invalid-request', meaning: 'what is asked belongs to another group' },
  InvalidGroup: { kind: 'invalid-request', meaning: 'there is no such group', fields: ['group'] },
  StateNotAvailable: {
    kind: 'not-found',
    meaning: 'the state after that block is older than what is kept (PRUNING_HORIZON)',
  },
  NoState: { kind: 'invalid-request', meaning: 'the block is not of a group that has its state' },
  InvalidMessage: { kind: 'invalid-request', meaning: 'a service does not understand another: their versions differ' },
  AnswerTooLarge: {
    kind: 'refused',
    meaning:
      'more is asked for than one answer or message of services holds, 8 MiB: ask for a shorter interval (of blocks, the detail names it), for fewer calls, or for the events of one transaction in place of those of a block',
  },
  MessageTooLarge: { kind: 'broken', meaning: 'the bus is set up for less than the answer needs' },
  UnencodableMessage: { kind: 'broken', meaning: faultOfOurs },
  UndecodableReply: { kind: 'broken', meaning: faultOfOurs },
  SenderNotPermitted: { kind: 'broken', meaning: 'the permissions of the bus do not fit the services' },
  InternalServerError: { kind: 'broken', meaning: faultOfOurs },
} as const satisfies RowsOf<typeof busErrorKinds & typeof groupErrorKinds>;

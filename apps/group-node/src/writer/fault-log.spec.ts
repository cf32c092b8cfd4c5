import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type Logger } from '@shardnode/core/observability';
import { storeUnavailable } from '../store/index.js';
import { FaultLog } from './fault-log.js';
import { Stopping } from './stopping.js';

describe('the log of faults', () => {
  const lines: string[] = [];
  const keep =
    (level: string) =>
    ({ suppressed }: { readonly suppressed?: number }, text: string): void =>
      void lines.push(`${level} ${text}${suppressed === undefined ? '' : ` (${suppressed} left out)`}`);
  const logger = { debug: keep('debug'), warn: keep('warn'), error: keep('error') } as unknown as Logger;
  const clock = createStoppedClock();
  const faults = new FaultLog(logger, clock);

  it.each([
    ['an orderly stop', new Stopping(0), ['debug a task failed', 'debug a task failed']],
    ['a fault of ours', new Error('a slip'), ['error a task failed', 'error a task failed']],
    [
      'a fault that is told as one',
      new ServiceError('broken', 'InternalServerError', 'a slip', {}),
      ['error a task failed', 'error a task failed'],
    ],
    ['a store that is away', storeUnavailable(0, 'its database does not answer'), ['warn a task failed (0 left out)']],
  ])('says as loud as it is: %s', (_what, error, expected) => {
    faults.log(error, 'a task failed');
    faults.log(error, 'a task failed');
    expect(lines.splice(0)).toEqual(expected);
  });

  it('says again after a minute what goes on, and how often it was', () => {
    clock.advance(60_000);
    faults.log(storeUnavailable(0, 'its database does not answer'), 'a task failed');
    expect(lines.splice(0)).toEqual(['warn a task failed (1 left out)']);
  });
});

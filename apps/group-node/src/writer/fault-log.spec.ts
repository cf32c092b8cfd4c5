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
    ['a graceful shutdown', new Stopping(0), ['debug a task failed', 'debug a task failed']],
    ['a fault of ours', new Error('a slip'), ['error a task failed', 'error a task failed']],
    [
      'an error of kind fault',
      new ServiceError('broken', 'InternalServerError', 'a slip', {}),
      ['error a task failed', 'error a task failed'],
    ],
    ['an unavailable store', storeUnavailable(0, 'its database does not answer'), ['warn a task failed (0 left out)']],
  ])('logs at the level of the fault: %s', (_what, error, expected) => {
    faults.log(error, 'a task failed');
    faults.log(error, 'a task failed');
    expect(lines.splice(0)).toEqual(expected);
  });

  it('logs a lasting fault again after a minute, with the number of suppressed lines', () => {
    clock.advance(60_000);
    faults.log(storeUnavailable(0, 'its database does not answer'), 'a task failed');
    expect(lines.splice(0)).toEqual(['warn a task failed (1 left out)']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { LogLimiter } from './index.js';

describe('log limiter', () => {
  it('writes the first line of a key, then one a minute with the number of suppressed lines', () => {
    const clock = createStoppedClock();
    const limiter = new LogLimiter(clock);
    const lines: string[] = [];
    const log = (key: string): void => limiter.log(key, (suppressed) => lines.push(`${key} ${suppressed}`));
    for (let i = 0; i < 5; i++) log('a');
    log('b');
    clock.advance(59_999);
    log('a');
    clock.advance(1);
    log('a');
    log('a');
    expect(lines).toEqual(['a 0', 'b 0', 'a 5']);
  });

  it('is bounded for any number of invented keys', () => {
    const clock = createStoppedClock();
    const limiter = new LogLimiter(clock);
    let lines = 0;
    for (let i = 0; i < 5_000; i++) limiter.log(`key ${i}`, () => lines++);
    expect(lines).toBeLessThanOrEqual(1_001);
    clock.advance(60_000);
    limiter.log('a new one', (suppressed) => expect(suppressed).toBe(0));
  });
});

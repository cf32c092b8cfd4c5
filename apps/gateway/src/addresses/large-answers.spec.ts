import { expect, it } from '@jest/globals';
import { largeAnswers } from './large-answers.js';

/** The order of permits: libs/core/src/concurrency/semaphore.spec.ts */
it('one large response more than may wait is refused with a time to retry', async () => {
  const large = largeAnswers({ permits: 2, maxWaiting: 2 });
  const [first, second] = [await large.acquire(), await large.acquire()];
  const waiting = [large.acquire(), large.acquire()];
  await expect(large.acquire()).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'ServerBusy',
    data: { retryAfterSeconds: 5 },
  });
  for (const release of [first, second]) release();
  for (const release of await Promise.all(waiting)) release();
});

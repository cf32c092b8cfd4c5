import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { Histogram, Registry } from 'prom-client';
import { PreparedHistogram } from './index.js';

const labelNames = ['route', 'status'];
const settings = { name: 'duration_seconds', help: 'Time', buckets: [0.001, 0.01, 1] };
const registry = (): Registry => {
  const made = new Registry();
  made.setDefaultLabels({ service: 'a' });
  return made;
};

it('shows what the histogram of the library shows', async () => {
  const value = fc.oneof(fc.constantFrom(0, ...settings.buckets, 2), fc.double({ min: 0, max: 2, noNaN: true }));
  const observation = fc.record({ route: fc.constantFrom('/a', '/b'), status: fc.constantFrom(200, 404), value });
  await fc.assert(
    fc.asyncProperty(fc.array(observation), async (observations) => {
      const [theirs, ours] = [registry(), registry()];
      const library = new Histogram({ ...settings, labelNames, registers: [theirs] });
      const prepared = new PreparedHistogram({ ...settings, labelNames, registers: [ours] });
      const recorders = new Map(
        ['/a', '/b'].flatMap((route) =>
          [200, 404].map((status) => [`${route} ${status}`, prepared.of({ route, status })] as const),
        ),
      );
      for (const { route, status, value: seconds } of observations) {
        library.observe({ route, status }, seconds);
        recorders.get(`${route} ${status}`)!.observe(seconds);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
      ours.resetMetrics();
      expect(await ours.metrics()).not.toMatch(/_count\{.*\} [1-9]/);
    }),
    { numRuns: 30 },
  );
});

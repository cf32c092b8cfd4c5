import { afterEach, describe, expect, it } from '@jest/globals';
import { startFakeNetwork, type FakeNetwork } from '../fakes/fake-network.js';

const askers = 200;

describe('health and metrics, which need no key and have no limit', () => {
  let network: FakeNetwork | undefined;
  afterEach(() => network?.stop());

  const askAll = (path: string): Promise<string[]> =>
    Promise.all(Array.from({ length: askers }, async () => (await fetch(`${network!.base}${path}`)).text()));

  it('are made a few times, however many ask', async () => {
    network = await startFakeNetwork({ accessLog: false });
    let asked = 0;
    network.groups['read.node.status'] = (_request, group) => {
      if (group === 0) asked += 1;
      return { group, synced: true, mempoolSize: 0 };
    };
    const began = performance.now();
    expect(new Set(await askAll('/health/ready'))).toEqual(new Set(['{"ready":true,"reasons":[],"problems":[]}']));
    const texts = new Set(await askAll('/metrics'));
    // Each that is made anew has counted the requests before it.
    const windows = 2 + Math.floor((performance.now() - began) / 250);
    expect(asked).toBeGreaterThan(0);
    // Metrics ask for readiness themselves.
    expect(asked).toBeLessThanOrEqual(2 * windows);
    expect(texts.size).toBeLessThanOrEqual(windows);
    expect([askers, windows < askers / 4]).toEqual([askers, true]);
  });

  it('tell of a change soon', async () => {
    network = await startFakeNetwork({ accessLog: false });
    let synced = true;
    network.groups['read.node.status'] = (_request, group) => ({ group, synced, mempoolSize: 0 });
    const status = async (): Promise<number> => (await fetch(`${network!.base}/health/ready`)).status;
    for (const wanted of [200, 503, 200]) {
      synced = wanted === 200;
      while ((await status()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
});

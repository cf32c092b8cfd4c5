import { afterEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { compactTarget, genesisBlock, hasEnoughWork, sealHeader } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { builtProgram } from '@shardnode/testing/built-program';
import { createNonceFinder, expectedTries, type NonceFinder, type Searched } from '../../src/mining/nonce-finder.js';

/** Threads run the build. */
const script = pathToFileURL(builtProgram('group-node', 'mining/nonce-worker.js'));
const nothing = new URL('../nothing.js', import.meta.url);
const settings = developmentNetwork;
const chain = { from: 2, to: 3 };

/** A header that wants so many leading zero bits. */
const wanting = (bits: number): Searched => {
  const { header } = genesisBlock(settings, chain);
  return {
    chain,
    header: { ...header, timestamp: 1_700_000_000_000n, target: compactTarget(2n ** BigInt(256 - bits) - 1n) },
  };
};

let finder: NonceFinder | undefined;
afterEach(() => finder?.close());

describe('the search for nonces', () => {
  it.each([
    [0, 16],
    [5, 512],
    [6, 1024],
    [20, 16 * 2 ** 20],
  ])('expects with %d zero bits %d tries', (bits, tries) => {
    expect(expectedTries(wanting(bits), 4) / tries).toBeCloseTo(1, 2);
  });

  it.each([
    ['in place, where it is short', 3, script, true],
    ['on a thread, where it is long', 10, script, false],
    ['in place, where there is no build', 7, nothing, false],
  ])('finds one %s', async (_, bits, worker, isShort) => {
    finder = createNonceFinder({ settings, randomBytes, script: worker });
    const template = wanting(bits);
    expect(finder.isShort(template)).toBe(isShort);
    const nonces = await Promise.all([finder.find(template), finder.find(template)]);
    for (const nonce of nonces) {
      if (!nonce) throw new Error('none was found');
      const { hash, chainIndex } = sealHeader({ ...template.header, nonce }, settings.groups);
      expect(chainIndex).toEqual(chain);
      expect(hasEnoughWork(hash, template.header.target)).toBe(true);
    }
    expect(nonces[0]).not.toEqual(nonces[1]);
  });

  it.each([script, nothing])(
    'gives up in time, leaves the event loop free meanwhile, and ends when it is closed',
    async (worker) => {
      finder = createNonceFinder({ settings, randomBytes, script: worker });
      const impossible = wanting(100);
      expect(await finder.find(impossible)).toBeUndefined();
      const search = finder.find(impossible);
      const ended = expect(search).rejects.toThrow('the search for a nonce has ended');
      let longest = 0;
      let last = performance.now();
      for (let i = 0; i < 8; i++) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      await finder.close();
      await ended;
      // Some thousand nonces take a few milliseconds; a shared machine may take its time.
      expect(longest).toBeLessThan(500);
      await expect(finder.find(impossible)).rejects.toThrow('the search for a nonce has ended');
    },
  );
});

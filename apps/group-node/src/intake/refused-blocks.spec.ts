import { describe, expect, it } from '@jest/globals';
import { RefusedBlocks } from './refused-blocks.js';

describe('refused blocks', () => {
  it('keep away what depends on them, until they are accepted', () => {
    const refused = new RefusedBlocks();
    refused.add({ hash: 'bad', rule: 'InvalidWorkTarget' });
    refused.addDependent('child', 'bad');
    const bad = { hash: 'bad', rule: 'InvalidWorkTarget' };
    expect([refused.of('bad'), refused.of('child'), refused.of('other')]).toEqual([bad, bad, undefined]);
    refused.accepted('bad');
    expect([refused.of('bad'), refused.of('child')]).toEqual([undefined, undefined]);
    expect([refused.hasSeen('child'), refused.hasSeen('other')]).toEqual([true, false]);
  });

  it('are bounded, and one that comes again and again is kept with its latest dependents', () => {
    const refused = new RefusedBlocks();
    for (let number = 0; number < 10_000; number++) {
      refused.add({ hash: 'bad', rule: 'InvalidWorkTarget' });
      refused.add({ hash: `bad ${number}`, rule: 'InvalidPoW' });
      refused.addDependent(`child ${number}`, 'bad');
    }
    expect(refused.of('child 9999')).toEqual({ hash: 'bad', rule: 'InvalidWorkTarget' });
    expect([refused.hasSeen('child 0'), refused.hasSeen('bad 0')]).toEqual([false, false]);
  });
});

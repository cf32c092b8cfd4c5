import { describe, expect, it } from '@jest/globals';
import { developmentNetwork } from '@shardnode/protocol/network';
import { playBoth } from '@shardnode/testing/settled-blocks';
import { isDeepStrictEqual } from 'node:util';

const seeds = 1_000;

describe('a DAG with a window', () => {
  it(`answers as one without in ${seeds} random histories`, () => {
    let loads = 0;
    for (let seed = 20; seed < 20 + seeds; seed++) {
      loads += playBoth(developmentNetwork, seed, (windowed, whole) => {
        if (!isDeepStrictEqual(windowed, whole)) expect({ seed, answer: windowed }).toEqual({ seed, answer: whole });
      });
    }
    expect(loads).toBeGreaterThan(seeds);
  }, 1_800_000);
});

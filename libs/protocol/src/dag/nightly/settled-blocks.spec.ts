import { expect, it } from '@jest/globals';
import { playBoth } from '@shardnode/testing/settled-blocks';
import { developmentNetwork } from '../../network/index.js';

const count = 1_000;
/** The gate has the first ten seeds. */
const first = count * Number(process.env['SEED'] ?? 1);

it(`a DAG with a window answers as one without in the random histories ${first} to ${first + count - 1}`, () => {
  for (let seed = first; seed < first + count; seed++)
    playBoth(developmentNetwork, seed, (windowed, whole) => expect([seed, windowed]).toEqual([seed, whole]));
}, 1_800_000);

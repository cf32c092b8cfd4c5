import { expect, it } from '@jest/globals';
import { judgeDepth } from './reorganisation-depth.js';

it.each([
  [1, 'ordinary'],
  [200, 'ordinary'],
  [201, 'DeepReorganisation'],
  [2_000, 'DeepReorganisation'],
  [2_001, 'ResyncRequired'],
])('a reorganisation of %i blocks is judged %s', (depth, judgement) => {
  expect(judgeDepth(depth)).toBe(judgement);
});

export { compactTarget, targetOfDifficulty, targetValue, workOf } from '../primitives/compact-target.js';

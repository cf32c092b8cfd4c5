/** Re-exported here, because weight and target belong to blocks. */
export { compactTarget, targetOfDifficulty, targetValue, workOf } from '../primitives/index.js';

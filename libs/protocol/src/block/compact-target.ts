/** The floor's door offers these too: weight and target are spoken of with blocks. */
export { compactTarget, targetOfDifficulty, targetValue, workOf } from '../primitives/index.js';

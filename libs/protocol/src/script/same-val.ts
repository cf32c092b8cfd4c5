import { sameBytes } from '../encoding/index.js';
import { sameLockupScript } from '../primitives/index.js';
import { type Val } from './model.js';

/** Whether two values have the same type and content (protocol 05 §2.4). */
export const sameVal = (a: Val, b: Val): boolean => {
  if (a === b) return true;
  if (a.type === 'ByteVec') return b.type === 'ByteVec' && sameBytes(a.value, b.value);
  if (a.type === 'Address') return b.type === 'Address' && sameLockupScript(a.value, b.value);
  return a.type === b.type && a.value === b.value;
};

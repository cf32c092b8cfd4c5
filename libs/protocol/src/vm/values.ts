import { type LockupScript } from '../primitives/index.js';
import { type Val } from '../script/index.js';

/** Shared values that runs use often; values are immutable. */
export const falseVal: Val = Object.freeze({ type: 'Bool', value: false });
export const trueVal: Val = Object.freeze({ type: 'Bool', value: true });

const sharedCount = 64;
const sharedI256: readonly Val[] = Array.from({ length: sharedCount }, (_, i) => ({ type: 'I256', value: BigInt(i) }));
const sharedU256: readonly Val[] = Array.from({ length: sharedCount }, (_, i) => ({ type: 'U256', value: BigInt(i) }));

export const boolVal = (value: boolean): Val => (value ? trueVal : falseVal);
export const i256Val = (value: bigint): Val => ({ type: 'I256', value });
export const u256Val = (value: bigint): Val => ({ type: 'U256', value });
export const bytesVal = (value: Uint8Array): Val => ({ type: 'ByteVec', value });
export const addressVal = (value: LockupScript): Val => ({ type: 'Address', value });

/** The shared value of a small count, 0 to 63. */
export const smallI256 = (value: number): Val => sharedI256[value]!;
export const smallU256 = (value: number): Val => sharedU256[value]!;

import { type ChainIndex, groupOfLockupScript, groupOfReference } from '../primitives/index.js';
import { type UnsignedTransaction } from './model.js';

/** Group of the first input; undefined without inputs (protocol 01 §11.5). */
export const fromGroupOf = (unsigned: UnsignedTransaction, groups: number): number | undefined => {
  const first = unsigned.inputs[0];
  return first && groupOfReference(first.outputReference, groups);
};

/** Group of the first fixed output outside the from-group; the from-group if there is none (protocol 01 §11.5). */
export const toGroupOf = (unsigned: UnsignedTransaction, groups: number): number | undefined => {
  const from = fromGroupOf(unsigned, groups);
  for (const output of unsigned.fixedOutputs) {
    const group = groupOfLockupScript(output.lockupScript, groups);
    if (group !== from) return group;
  }
  return from;
};

/** The chain of a transaction; undefined without inputs: a coinbase has the chain of its block (protocol 01 §11.5). */
export const chainIndexOf = (unsigned: UnsignedTransaction, groups: number): ChainIndex | undefined => {
  const from = fromGroupOf(unsigned, groups);
  if (from === undefined) return undefined;
  return { from, to: toGroupOf(unsigned, groups) ?? from };
};

import { type Hash, type LockupScript } from '../primitives/index.js';
import { fail } from './failure.js';
import { type Frame } from './frame.js';
import { type Machine } from './machine.js';

/** Whether a frame runs the contract, from this frame down to the first one that runs a script (protocol 05 §9.6). */
export const isInCallerTrace = (start: Frame, contractId: Hash): boolean => {
  for (let frame: Frame | undefined = start; frame?.code.kind === 'contract'; frame = frame.caller) {
    if (frame.code.id === contractId) return true;
  }
  return false;
};

/** Cache of contracts found below a frame: the frames below never change, and a loop may check each payment. */
const knownBelow = new WeakMap<Frame, Set<Hash>>();

const isPayable = (frame: Frame, contractId: Hash): boolean => {
  const known = knownBelow.get(frame);
  if (known?.has(contractId)) return true;
  if (!isInCallerTrace(frame, contractId)) return false;
  knownBelow.set(frame, (known ?? new Set()).add(contractId));
  return true;
};

/** A contract may be paid or refunded only while it runs (protocol 05 §9.6). */
export const checkPayee = ({ frame, block }: Machine, payee: LockupScript): void => {
  if (payee.kind === 'p2c' && !isPayable(frame, payee.contractId)) {
    fail('PayToContractAddressNotInCallerTrace', payee.contractId, block.group);
  }
};

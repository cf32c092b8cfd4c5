import { isU256 } from '../../primitives/index.js';
import { type AssetOutput } from '../../transaction/index.js';
import { type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { type Machine } from '../machine.js';

const timeLimit = 1n << 63n;

const blockTimestamp = (machine: Machine): bigint => {
  const { timestamp } = machine.block;
  return timestamp < 0n ? fail('NegativeTimeStamp', timestamp) : timestamp;
};

const pushTarget = (machine: Machine): void => {
  const { target } = machine.block;
  if (!isU256(target)) fail('InvalidBlockTarget', target);
  machine.pushU256(target);
};

const pushBlockHash = (machine: Machine): void =>
  machine.pushId(machine.block.blockHash ?? fail('NoBlockHashAvailable'));

const refuseInContract = (machine: Machine): void => {
  if (machine.frame.code.kind === 'contract') fail('AccessTxInputAddressInContract');
};

const popInput = (machine: Machine): AssetOutput => {
  const index = machine.popU256();
  const { inputs } = machine.transaction;
  return index < inputs.length ? inputs[Number(index)]! : fail('InvalidTxInputIndex', index);
};

const popTime = (machine: Machine): bigint => {
  const time = machine.popU256();
  return time >= timeLimit ? fail('LockTimeOverflow') : time;
};

const verifyAbsoluteLockTime = (machine: Machine): void => {
  const lockTime = popTime(machine);
  const { timestamp } = machine.block;
  if (lockTime > timestamp) fail('AbsoluteLockTimeVerificationFailed', lockTime, timestamp);
};

const verifyRelativeLockTime = (machine: Machine): void => {
  const duration = popTime(machine);
  const { lockTime } = popInput(machine);
  const { timestamp } = machine.block;
  if (lockTime === 0n) fail('RelativeLockTimeExpectPersistedUtxo');
  const end = lockTime + duration;
  if (end >= timeLimit) fail('LockTimeOverflow');
  if (end > timestamp) fail('RelativeLockTimeVerificationFailed', end, timestamp);
};

/** Block and transaction (protocol 05 §6.6). */
export const environmentInstructions: InstructionImplementations = {
  NetworkId: (machine) => machine.pushBytes(Uint8Array.of(machine.block.networkId)),
  BlockTimeStamp: (machine) => machine.pushU256(blockTimestamp(machine)),
  BlockTarget: pushTarget,
  BlockHash: pushBlockHash,
  TxId: (machine) => machine.pushId(machine.transaction.id),
  TxGasPrice: (machine) => machine.pushU256(machine.transaction.gasPrice),
  TxGasAmount: (machine) => machine.pushU256(BigInt(machine.transaction.gasAmount)),
  TxGasFee: (machine) => machine.pushU256(machine.transaction.gasPrice * BigInt(machine.transaction.gasAmount)),
  TxInputsSize: (machine) => {
    refuseInContract(machine);
    machine.pushU256(BigInt(machine.transaction.inputs.length));
  },
  TxInputAddressAt: (machine) => {
    refuseInContract(machine);
    machine.pushAddress(popInput(machine).lockupScript);
  },
  VerifyAbsoluteLocktime: verifyAbsoluteLockTime,
  VerifyRelativeLocktime: verifyRelativeLockTime,
};

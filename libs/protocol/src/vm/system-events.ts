import { bytesToHex } from '../encoding/index.js';
import { type Hash, type LockupScript } from '../primitives/index.js';
import { type Val } from '../script/index.js';
import { type Machine } from './machine.js';
import { addressVal, bytesVal, i256Val } from './values.js';

/** Event indexes of the machine itself (protocol 05 §13.2). */
const creationIndex = -1n;
const destructionIndex = -2n;

/** The contract id of these events in a group: 30 zero bytes, the low byte of their index, the group. */
const systemContractId = (index: bigint, group: number): Hash =>
  '00'.repeat(30) + bytesToHex(Uint8Array.of(Number(BigInt.asUintN(8, index)), group));

/** The ids under which the creations and destructions of contracts of a group are recorded (protocol 05 §13.2). */
export const creationEventsId = (group: number): Hash => systemContractId(creationIndex, group);
export const destructionEventsId = (group: number): Hash => systemContractId(destructionIndex, group);

/** A byte string in the last immutable field that starts so names the interface of the contract: a protocol constant. */
const interfacePrefix = [0x41, 0x4c, 0x50, 0x48];

const none = bytesVal(new Uint8Array(0));

const contractAddressVal = (contractId: Hash): Val => addressVal({ kind: 'p2c', contractId } satisfies LockupScript);

const guessedInterface = (immutableFields: readonly Val[]): Val => {
  const last = immutableFields.at(-1);
  if (last?.type !== 'ByteVec' || !interfacePrefix.every((byte, i) => last.value[i] === byte)) return none;
  return bytesVal(last.value.subarray(interfacePrefix.length));
};

/** Records the creation of a contract; `parentId` of a sub-contract (protocol 05 §13.2). */
export const logCreation = (
  machine: Machine,
  contractId: Hash,
  parentId: Hash | undefined,
  immutableFields: readonly Val[],
): void =>
  machine.log(creationEventsId(machine.block.group), [
    i256Val(creationIndex),
    contractAddressVal(contractId),
    parentId === undefined ? none : contractAddressVal(parentId),
    guessedInterface(immutableFields),
  ]);

/** Records the destruction of a contract (protocol 05 §13.2). */
export const logDestruction = (machine: Machine, contractId: Hash): void =>
  machine.log(destructionEventsId(machine.block.group), [i256Val(destructionIndex), contractAddressVal(contractId)]);

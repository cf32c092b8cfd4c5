import { utf8ToBytes } from '@noble/hashes/utils.js';
import { zeroHash } from '../../primitives/index.js';
import { estimatedSizeOf, type Val } from '../../script/index.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { skipIdleRun } from '../idle-runs.js';
import { type Machine } from '../machine.js';
import { debugText } from '../value-texts.js';
import { bytesVal, i256Val } from '../values.js';

const debugEventIndex = i256Val(-3n);
const mainNetwork = 0;

/** Log1 to Log9: written for the contract that runs; a script only pops the fields (protocol 05 §6.7). */
const log =
  (fieldCount: number): Execute =>
  (machine) => {
    const fields = machine.popMany(fieldCount);
    const { code } = machine.frame;
    if (code.kind === 'contract' && machine.recordsEvents && machine.eventBudget.takeEvent(estimatedSizeOf(fields))) {
      machine.log(code.id, fields);
    }
  };

/** Bytes of the longest texts apart from byte strings: 78 digits and a sign; a lockup script is shorter than its hashes. */
const longestNumber = 79;

/** Upper bound of the length of the text, without building it. */
const boundOfText = (val: Val): number => {
  if (val.type === 'ByteVec') return 2 * val.value.length;
  if (val.type === 'Address' && val.value.kind === 'p2mpkh') return 64 * (val.value.publicKeyHashes.length + 1);
  return longestNumber;
};

const messageOf = (parts: readonly Uint8Array[], values: readonly Val[]): Uint8Array => {
  const pieces = parts.flatMap((part, i) => (i < values.length ? [part, utf8ToBytes(debugText(values[i]!))] : [part]));
  const message = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    message.set(piece, end);
    end += piece.length;
  }
  return message;
};

const debug = (machine: Machine, parts: readonly Uint8Array[]): void => {
  if (machine.block.networkId === mainNetwork) fail('DebugIsNotSupportedForMainnet');
  if (parts.length === 0) fail('DebugMessageIsEmpty');
  const values = machine.popMany(parts.length - 1);
  if (machine.recordsEvents) {
    let bound = 0;
    for (const part of parts) bound += part.length;
    for (const val of values) bound += boundOfText(val);
    const { code } = machine.frame;
    if (machine.eventBudget.takeDebugMessage(bound)) {
      const message = bytesVal(messageOf(parts, values));
      machine.log(code.kind === 'contract' ? code.id : zeroHash, [debugEventIndex, message]);
    }
  }
  skipIdleRun(machine);
};

/** protocol 05 §6.7 */
export const eventInstructions: InstructionImplementations = {
  Log1: log(1),
  Log2: log(2),
  Log3: log(3),
  Log4: log(4),
  Log5: log(5),
  Log6: log(6),
  Log7: log(7),
  Log8: log(8),
  Log9: log(9),
  DEBUG: debug,
};

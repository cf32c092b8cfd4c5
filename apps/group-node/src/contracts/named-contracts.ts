import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type Instruction, instructionNamed, type StatefulScript } from '@shardnode/protocol/script';

const bytesConstCode = instructionNamed('BytesConst').code;

const contractIdIn = ({ code, operand }: Instruction): Hash[] =>
  code === bytesConstCode && operand instanceof Uint8Array && operand.length === 32 ? [bytesToHex(operand)] : [];

/**
 * Possible contract ids in scripts: constants of 32 bytes. A script calls contracts by such constants. Loading them in
 * one batch before the run avoids one miss per contract.
 */
export const contractsNamedIn = (scripts: readonly (StatefulScript | undefined)[]): Hash[] => [
  ...new Set(
    scripts.flatMap((script) =>
      (script?.methods ?? []).flatMap(({ instructions }) => instructions.flatMap(contractIdIn)),
    ),
  ),
];

import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { readVectors } from '../vectors/index.js';

interface Scenarios {
  readonly scenarios: readonly { readonly codes: Readonly<Record<string, { readonly bytecode: string }>> }[];
}

/**
 * Contracts of the vectors that tests deploy, with their methods by number:
 * - Counter: 0 adds to a field (amount; gives the sum, makes an event), 1 always fails, 3 reads.
 * - Vault (field: owner; balance): 0 takes coin (payer, amount), 1 takes tokens (payer, id, amount), 2 pays out
 *   coin on the owner's order (receiver, amount), 3 pays out tokens (receiver, id, amount).
 * - Parent (field: id of a Child as template; number): 0 makes a sub-contract (payer, path, value), 2 sets its value
 *   (path, value), 3 destroys it (path, receiver of its assets).
 * - Child (fields: path; value).
 * - Old (fields: address; number): 0 adds 1, 1 takes the code given. New: 0 adds 10, 1 takes the code given.
 * - Simple (fields: number; flag): 0 toggles the flag, 2 destroys it (receiver of its assets).
 */
export type SampleContract = 'Counter' | 'Vault' | 'Parent' | 'Child' | 'Old' | 'New' | 'Simple';

let codes: ReadonlyMap<string, string> | undefined;

/** Encoded contract, hexadecimal. */
export const sampleCode = (name: SampleContract): string => {
  codes ??= new Map(
    readVectors<Scenarios>('contract-scenarios.json')
      .scenarios.flatMap((scenario) => Object.entries(scenario.codes))
      .map(([known, { bytecode }]) => [known, bytecode] as const)
      // The first one of a name.
      .reverse(),
  );
  const code = codes.get(name);
  if (code === undefined) throw new Error(`the vectors have no contract ${name}`);
  return code;
};

const fieldsHex = (fields: readonly Val[]): string => bytesToHex(encode(valsCodec, fields));

/** Code and initial fields for a deployment: contract, immutable fields, mutable fields (protocol 07 §10.2). */
export const sampleBytecode = (name: SampleContract, immutable: readonly Val[], mutable: readonly Val[]): string =>
  sampleCode(name) + fieldsHex(immutable) + fieldsHex(mutable);

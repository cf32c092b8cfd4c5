import { instructions } from '../../script/index.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { arithmeticInstructions } from './arithmetic.js';
import { assetInstructions } from './assets.js';
import { booleanInstructions } from './booleans.js';
import { byteVectorInstructions } from './byte-vectors.js';
import { contractInformationInstructions } from './contract-information.js';
import { controlInstructions } from './control.js';
import { conversionInstructions } from './conversions.js';
import { creationInstructions } from './creation.js';
import { destructionInstructions } from './destruction.js';
import { environmentInstructions } from './environment.js';
import { eventInstructions } from './events.js';
import { exponentInstructions } from './exponents.js';
import { fieldInstructions } from './fields.js';
import { hashInstructions } from './hashing.js';
import { migrationInstructions } from './migration.js';
import { signatureInstructions } from './signatures.js';
import { stackInstructions } from './stack.js';

/** Every table of implementations; each name of the instruction table is in exactly one. */
export const implementationTables: readonly InstructionImplementations[] = [
  controlInstructions,
  stackInstructions,
  booleanInstructions,
  arithmeticInstructions,
  exponentInstructions,
  conversionInstructions,
  byteVectorInstructions,
  hashInstructions,
  signatureInstructions,
  environmentInstructions,
  eventInstructions,
  fieldInstructions,
  contractInformationInstructions,
  assetInstructions,
  creationInstructions,
  migrationInstructions,
  destructionInstructions,
];

const implementations: InstructionImplementations = Object.assign({}, ...implementationTables);

const codes = 256;

/** By code byte; undefined where no instruction is assigned, which no code that decoded contains. */
export const implementationByCode: readonly (Execute | undefined)[] = Array.from({ length: codes }, (_, code) => {
  const definition = instructions.find((instruction) => instruction.code === code);
  return definition && implementations[definition.name];
});

/** Gas that is charged before anything else, by code byte; 0 where the implementation charges by itself. */
export const tableGasByCode: readonly number[] = Array.from(
  { length: codes },
  (_, code) => instructions.find((instruction) => instruction.code === code)?.gas ?? 0,
);

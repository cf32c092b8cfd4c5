import { type InstructionImplementations } from '../execute.js';

export const assetInstructions: InstructionImplementations = {};

import { type z } from 'zod';
import { type Environment, unknownSettings, variablesOf } from '@shardnode/core/configuration';

/** Writes a line to standard error for each variable that looks like a setting and is none. */
export const warnOfUnknownSettings = (schema: z.ZodObject, environment: Environment): void => {
  const sentences = unknownSettings(variablesOf(schema), environment, { wholeFamilies: true });
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
};

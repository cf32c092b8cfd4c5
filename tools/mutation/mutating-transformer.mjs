import { resolve } from 'node:path';
import swc from '@swc/jest';

const mutant = process.env.MUTANT ? JSON.parse(process.env.MUTANT) : undefined;
const changed = (source, file) =>
  mutant && file === resolve(mutant.path)
    ? source.slice(0, mutant.start) + mutant.to + source.slice(mutant.end)
    : source;

/** The transformer of the repository; it changes the file of MUTANT as it is read, so nothing is written to the disk. */
export default {
  createTransformer: (options) => {
    const { process: transform, getCacheKey } = swc.createTransformer(options);
    return {
      process: (source, file, context) => transform(changed(source, file), file, context),
      getCacheKey: (source, file, context) => getCacheKey(changed(source, file), file, context),
    };
  },
};

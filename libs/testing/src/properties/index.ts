import fc from 'fast-check';

/**
 * The seed of all properties: the same in every run, so that the same code has the same result. `SEED=N npm test` tries
 * others; a property that fails prints it.
 */
export const seed = Number(process.env['SEED'] ?? 1);

fc.configureGlobal({ seed });

export { fc };

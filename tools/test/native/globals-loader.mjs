/** `@jest/globals` of modules that outlive a test file. */
const globals = new URL('./globals.mjs', import.meta.url).href;

export const resolve = async (specifier, context, next) =>
  specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context);

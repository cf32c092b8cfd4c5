/** Runs of the vectors on the machine. */
export * from './value-texts.js';
export * from './run-vectors.js';
export * from './run-world.js';
export * from './vector-run.js';
export * from './run-differences.js';
export * from './matrix-run.js';
export * from './instruction-text.js';
export * from './code-arbitraries.js';

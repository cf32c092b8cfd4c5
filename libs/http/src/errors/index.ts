export * from './documented-texts/index.js';
export * from './decode-failures.js';
export * from './error-body.js';
export * from './invalid-request.js';
export * from './error-row.js';
export * from './error-codes.js';
export * from './next-call.js';

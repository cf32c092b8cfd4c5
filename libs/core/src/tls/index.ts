export * from './tls-reader.js';
export * from './tls-problem.js';

export * from './operation-id.js';
export * from './schema-converter.js';

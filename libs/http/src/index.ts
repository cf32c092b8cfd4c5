export * from './brand/brand.js';
export * from './errors/index.js';
export * from './forms/index.js';
export * from './openapi/index.js';
export * from './schemas/index.js';

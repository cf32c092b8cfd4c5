export * from './brand/brand.js';
export * from './brand/branded-answers.js';
export * from './openapi/branded-document.js';
export * from './brand/branded-json.js';
export * from './errors/foreign-names.js';
export * from './errors/index.js';
export * from './json-text.js';
export * from './openapi/index.js';
export * from './timestamps.js';

export * from './schemas/index.js';

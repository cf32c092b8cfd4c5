export * from './template-dependencies.js';
export * from './candidates.js';
export * from './script-completion.js';
export * from './template.js';
export * from './nonce-search.js';

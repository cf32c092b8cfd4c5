export * from './document.js';
export * from './endpoint-description.js';

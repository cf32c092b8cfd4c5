export * from './service-error.js';
export * from './error-frame.js';
export * from './http-status.js';
export * from './error-names.js';
export * from './system-error.js';

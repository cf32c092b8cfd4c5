export * from './settings.js';
export * from './listen-port.js';
export * from './schema-pipe.js';
export * from './json-body.js';
export * from './error-headers.js';
export * from './http-error-filter.js';
export * from './operations-routes.js';
export * from './create-adapter.js';

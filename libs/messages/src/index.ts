export * from './request-definition.js';
export * from './group-requests.js';
export * from './wallet-requests.js';
export * from './peer-events.js';

export * from './clock.js';
export * from './service.js';
export * from './hangup.js';
export * from './run-until-signal.js';
export * from './yield-to-event-loop.js';

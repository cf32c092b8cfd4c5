export * from './request-context.js';
export * from './span.js';
export * from './tracing.js';
export * from './software-version.js';
export * from './logger.js';
export * from './metrics.js';
export * from './log-limiter.js';
export * from './prepared-histogram.js';

export * from './clock-from-file.js';
export * from './stopped-clock.js';

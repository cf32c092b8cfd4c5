export * from './settings.js';
export * from './templates.js';
export * from './max-target.js';
export * from './development-network.js';
export * from './genesis-file.js';

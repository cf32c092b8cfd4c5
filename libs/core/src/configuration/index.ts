export * from './setting.js';
export * from './read-configuration.js';
export * from './configuration-table.js';

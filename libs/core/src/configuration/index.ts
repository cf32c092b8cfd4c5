export * from './setting.js';
export * from './setting-file.js';
export * from './secret-file.js';
export * from './read-configuration.js';
export * from './configuration-table.js';
export { nearestName, unknownSettings } from './unknown-settings.js';

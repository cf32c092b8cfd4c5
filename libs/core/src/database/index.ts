export * from './database.js';
export * from './database-error.js';
export * from './arrays.js';
export * from './known-outcome.js';
export { openEmbeddedDatabase, type EmbeddedDatabaseOptions } from './embedded/open-embedded-database.js';
export { resetDataFolder } from './embedded/reset-folder.js';
export { prepareCluster } from './embedded/prepare-cluster.js';
export { schemaDifference } from './migrations/schema-difference.js';

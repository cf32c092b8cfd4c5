export * from './model.js';
export { openGroupStore, type GroupStoreOptions } from './open-group-store.js';
export { groupNodeMigrations } from './migrations.js';

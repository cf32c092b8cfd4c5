export * from './model.js';
export { openGroupStore } from './open-group-store.js';
export { stateNotAvailable } from './state-not-available.js';
export { storeUnavailable } from './unavailable.js';
export { groupNodeMigrations } from './migrations.js';

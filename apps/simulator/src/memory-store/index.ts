export { MemoryDisk } from './memory-disk.js';
export { type MemoryStoreOptions, openMemoryStore, type StoreTimes } from './memory-store.js';

export { MemoryDisk } from './memory-disk.js';
export { type MemoryStoreOptions, openMemoryStore } from './memory-store.js';
export { openMemoryWallets, WalletDisk } from './memory-wallets.js';
export { type StoreTimes } from './store-times.js';

export * from './pool-order.js';
export * from './pooled-transaction.js';
export * from './mempool.js';

export * from './pool-order.js';
export * from './pooled-transaction.js';
export * from './mempool.js';
export * from './pool-pressure.js';
export * from './admission.js';
export * from './next-block-environment.js';

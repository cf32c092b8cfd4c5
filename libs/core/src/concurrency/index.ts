export * from './mutex.js';
export * from './semaphore.js';

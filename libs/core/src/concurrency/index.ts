export * from './client-rotation.js';
export * from './client-semaphore.js';
export * from './mutex.js';
export { type Release } from './release.js';
export * from './semaphore.js';
export * from './tally.js';

export * from './event-stream.js';

export * from './create-service.js';

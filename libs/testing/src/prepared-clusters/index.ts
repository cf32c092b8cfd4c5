export * from './prepared-cluster-file.js';

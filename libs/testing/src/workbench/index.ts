export * from './workbench.js';

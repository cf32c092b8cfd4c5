export * from './signed-transfer.js';
export * from './unsigned-template.js';
export * from './output-map.js';
export * from './mined-block.js';
export * from './allocation-transfer.js';
export * from './programs.js';

export * from './model.js';
export * from './instruction-table.js';
export * from './instruction-codec.js';
export * from './value-codec.js';
export * from './method-codec.js';
export * from './script-codecs.js';
export * from './contract-codec.js';
export * from './same-val.js';

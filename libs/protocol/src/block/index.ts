export * from './model.js';
export * from './time.js';
export * from './compact-target.js';
export * from './header-codec.js';
export * from './identity.js';
export * from './seal.js';
export * from './genesis.js';

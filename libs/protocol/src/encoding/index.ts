export * from './decode-error.js';
export * from './byte-reader.js';
export * from './byte-writer.js';
export * from './codec.js';
export * from './compact-integer.js';
export * from './hex.js';
export * from './primitive-codecs.js';
export * from './same-bytes.js';

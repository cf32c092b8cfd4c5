export * from './browser-navigation.js';
export * from './docs-files.js';
export * from './docs-frame.js';
export * from './html-text.js';
export * from './page-policy.js';
export * from './send-file.js';
export { acceptedEncoding, encodedBytes, ServedFile } from './served-file.js';

export { abortWhenClosed } from './abort-when-closed.js';
export * from './answer-permits.js';
export { holdUnannounced } from './hold-unannounced.js';

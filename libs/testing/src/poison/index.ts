export * from './payload-arbitrary.js';
export * from './poison.js';

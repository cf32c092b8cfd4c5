export { resetConnection } from './reset-connection.js';

export { permittedClient } from './permitted-client.js';

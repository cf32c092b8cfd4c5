export { commands } from './commands.js';

export { installTime } from './install.js';
export { type MortalClock, VirtualTime } from './virtual-time.js';

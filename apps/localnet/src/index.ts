export { openNetwork, type LocalNetwork } from './network.js';
export { readLocalnetConfiguration, localnetSettings, type LocalnetConfiguration } from './settings.js';

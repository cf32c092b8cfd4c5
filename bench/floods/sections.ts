import { connectionFloods } from './connection-floods.js';
import { describedFloods } from './described-floods.js';
import { type FloodSection } from './flood.js';
import { buildFloods, contractFloods, poolFloods, readFloods, submitFloods, walletFloods } from './hostile-floods.js';
import { unlockFloods } from './unlock-floods.js';

/** All floods, each section on a network of its own with the settings of `npm start`, others where it says so. */
export const floodSections: readonly FloodSection[] = [
  { name: 'endpoints', floods: describedFloods },
  { name: 'reads', floods: readFloods },
  { name: 'builds', floods: buildFloods },
  { name: 'submits', floods: (network) => [...submitFloods(), ...unlockFloods(network)] },
  { name: 'pool', settings: { MINING: 'interval', MEMPOOL_CAPACITY: '400' }, floods: poolFloods },
  { name: 'contracts', floods: contractFloods },
  { name: 'wallets', floods: walletFloods },
  { name: 'connections', floods: connectionFloods },
];

import { parseAssetAddress } from '../address/index.js';
import { type GenesisAllocation, type NetworkSettings } from './settings.js';
import { settingsOfNetwork } from './templates.js';

const attoCoinPerAllocation = 10n ** 24n;

const allocationTo = (address: string): GenesisAllocation => {
  const lockupScript = parseAssetAddress(address);
  if (!lockupScript) throw new RangeError(`not an asset address: ${address}`);
  return { lockupScript, amount: attoCoinPerAllocation, lockDuration: 0n };
};

/**
 * The development network: id 4, trivial work, a block target time of 10 ms so that the difficulty stays trivial at any
 * rate of blocks, and one funded address in each group (decisions, 22; protocol 03 §3).
 */
export const developmentNetwork: NetworkSettings = {
  ...settingsOfNetwork(4),
  numZeros: 0,
  blockTargetTime: 10n,
  uncleDependencyGap: 0n,
  allocations: [
    '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH',
    '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF',
    '15jjExDyS8q3Wqk9v29PCQ21jDqubDrD8WQdgn6VW2oi4',
    '17cBiTcWhung3WDLuc9ja5Y7BMus5Q7CD9wYBxS1r1P2R',
  ].map(allocationTo),
};

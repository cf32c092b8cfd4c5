import { describe, expect, it } from '@jest/globals';
import { readGroupNodeSettings } from './configuration.js';

const needed = { GROUP: '2', DATABASE_URL: 'postgresql://role:word@127.0.0.1/database' };

describe('settings of a group-node', () => {
  it('gives each group its own port', () => {
    expect(readGroupNodeSettings(needed)).toMatchObject({ GROUP: 2, HEALTH_PORT: 12_982, NATS_NAMESPACE: 'coin' });
    expect(readGroupNodeSettings({ ...needed, HEALTH_PORT: '0' }).HEALTH_PORT).toBe(0);
    expect(readGroupNodeSettings(needed).minerAddresses).toHaveLength(4);
    expect(readGroupNodeSettings(needed)).toMatchObject({ PRUNING: true, PRUNING_HORIZON: 2000 });
  });

  it('listens on one form of an address', () => {
    expect(readGroupNodeSettings({ ...needed, HEALTH_HOST: '[::1]' }).HEALTH_HOST).toBe('::1');
  });

  it.each([
    [{ GROUP: '' }, /GROUP is not set/],
    [{ GROUP: '4' }, /GROUP must be below 4/],
    [{ DATABASE_URL: '' }, /DATABASE_URL is not set/],
    [{ NATS_URL: 'localhost' }, /NATS_URL must be addresses like nats:/],
    [{ NATS_NAMESPACE: 'two words' }, /NATS_NAMESPACE must be/],
    [{ MINER_ADDRESSES: 'a,b' }, /MINER_ADDRESSES must be 4 addresses/],
    [{ PRUNING_HORIZON: '511' }, /PRUNING_HORIZON must be/],
    [{ HEALTH_HOST: '[::1]:80' }, /^HEALTH_HOST must be .*: write ::1; the port goes into HEALTH_PORT\.$/],
    [{ GENESIS_FILE: '/nowhere.json' }, /GENESIS_FILE must be a readable JSON file/],
  ])('%j is refused', (wrong, says) => {
    expect(() => readGroupNodeSettings({ ...needed, ...wrong })).toThrow(says);
  });
});

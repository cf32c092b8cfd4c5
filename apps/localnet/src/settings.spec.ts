import { describe, expect, it } from '@jest/globals';
import { brandOf } from '@shardnode/gateway';
import { environmentWith } from './arguments.js';
import { readClusterConfiguration } from './cluster/settings.js';
import { readLocalnetConfiguration } from './settings.js';

const healthPorts = (environment: Record<string, string>) => readLocalnetConfiguration(environment).healthPorts;

describe('ports of health and metrics', () => {
  it.each([
    ['those of the decision, as far as they are free', {}, [12980, 12981, 12982, 12983, 12984], true],
    ['free ones', { HEALTH_PORT: '0' }, [0, 0, 0, 0, 0], false],
    ['the requested ones', { HEALTH_PORT: '30000' }, [30000, 30001, 30002, 30003, 30004], false],
    ['not that of the API', { PORT: '12982' }, [12980, 12981, 0, 12983, 12984], true],
    ['not that of the explorer', { EXPLORER_PORT: '12980' }, [0, 12981, 12982, 12983, 12984], true],
  ])('%s', (_, environment, ports, orAnyPort) => {
    expect(healthPorts(environment)).toEqual({ ports, orAnyPort });
  });

  it.each([
    [{ HEALTH_PORT: '65533' }, 'HEALTH_PORT must be at most 65531'],
    [{ HEALTH_PORT: '30000', PORT: '30004' }, 'HEALTH_PORT must leave the port 30004 of PORT free'],
    [{ HEALTH_PORT: '30000', EXPLORER_PORT: '30004' }, 'HEALTH_PORT must leave the port 30004 of EXPLORER_PORT free'],
    [{ HEALTH_PORT: 'http' }, 'HEALTH_PORT must be a whole number from 0 to 65535'],
  ])('%j is refused', (environment, message) => {
    expect(() => healthPorts(environment)).toThrow(message);
  });
});

describe('ports that two settings name', () => {
  it.each([
    [{ PORT: '30000', EXPLORER_PORT: '30000' }, 'EXPLORER_PORT must differ from PORT: both are 30000'],
    [{ PORT: '19091' }, 'EXPLORER_PORT must differ from PORT: both are 19091'],
    [{ PORT: '30000', WS_PORT: '30000' }, 'WS_PORT must differ from PORT: both are 30000'],
    [{ WS_PORT: '30000', EXPLORER_PORT: '30000' }, 'EXPLORER_PORT must differ from WS_PORT: both are 30000'],
  ])('%j is refused, in one process and in several', (environment, message) => {
    expect(() => readLocalnetConfiguration(environment)).toThrow(message);
    expect(() => readClusterConfiguration(environment)).toThrow(message);
  });

  it('may be free ones, or that of an explorer that is off', () => {
    for (const environment of [
      { PORT: '0', EXPLORER_PORT: '0', WS_PORT: '0', HEALTH_PORT: '0' },
      { PORT: '19091', EXPLORER: 'off' },
    ]) {
      expect(() => readLocalnetConfiguration(environment)).not.toThrow();
    }
  });
});

describe('HOST', () => {
  it('has one form, in one process and in several', () => {
    for (const read of [readLocalnetConfiguration, readClusterConfiguration]) {
      expect(read({ HOST: '[::1]' }).settings.HOST).toBe('::1');
      expect(() => read({ HOST: '127.0.0.1:80' })).toThrow(
        /^HOST must be .*: write 127\.0\.0\.1; the port goes into PORT\.$/,
      );
    }
  });
});

describe('names of the coin', () => {
  it.each([
    [{}, 'Coin', 'COIN'],
    [{ COIN_NAME: 'Acme', COIN_SYMBOL: 'ACME' }, 'Acme', 'ACME'],
    // Appendix B of protocol 07: compiled into the clients.
    [{ API_PROFILE: 'reference' }, 'Alph', 'ALPH'],
    [{ API_PROFILE: 'reference', COIN_NAME: 'Acme' }, 'Acme', 'ALPH'],
  ])('%j: %s, %s', (environment, coinName, coinSymbol) => {
    expect(brandOf(readLocalnetConfiguration(environment).settings)).toEqual({ coinName, coinSymbol });
  });

  it('--reference is API_PROFILE=reference', () => {
    expect(environmentWith({ reference: true }, { PORT: '1' })).toEqual({ PORT: '1', API_PROFILE: 'reference' });
    expect(environmentWith({ reference: false }, { PORT: '1' })).toEqual({ PORT: '1' });
  });
});

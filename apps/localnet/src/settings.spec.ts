import { describe, expect, it } from '@jest/globals';
import { brandOf } from '@shardnode/gateway';
import { environmentWith } from './arguments.js';
import { readLocalnetConfiguration } from './settings.js';

const healthPorts = (environment: Record<string, string>) => readLocalnetConfiguration(environment).healthPorts;

describe('ports of health and metrics', () => {
  it.each([
    ['those of the decision, as far as they are free', {}, [12980, 12981, 12982, 12983, 12984], true],
    ['free ones', { HEALTH_PORT: '0' }, [0, 0, 0, 0, 0], false],
    ['the requested ones', { HEALTH_PORT: '30000' }, [30000, 30001, 30002, 30003, 30004], false],
    ['not that of the API', { PORT: '12982' }, [12980, 12981, 0, 12983, 12984], true],
  ])('%s', (_, environment, ports, orAnyPort) => {
    expect(healthPorts(environment)).toEqual({ ports, orAnyPort });
  });

  it.each([
    [{ HEALTH_PORT: '65533' }, 'HEALTH_PORT must be at most 65531'],
    [{ HEALTH_PORT: '30000', PORT: '30004' }, 'HEALTH_PORT must leave PORT 30004 to the API'],
    [{ HEALTH_PORT: 'http' }, 'HEALTH_PORT must be a whole number from 0 to 65535'],
  ])('%j is refused', (environment, message) => {
    expect(() => healthPorts(environment)).toThrow(message);
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

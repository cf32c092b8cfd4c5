import { describe, expect, it } from '@jest/globals';
import { unknownSettings, variablesOf } from '@shardnode/core/configuration';
import { gatewaySettings } from '@shardnode/gateway';
import { groupNodeSettings } from '@shardnode/group-node';
import { walletServiceSettings } from '@shardnode/wallet-service';
import { clusterSettings } from './cluster/settings.js';
import { localnetSettings } from './settings.js';

const services = { gatewaySettings, groupNodeSettings, walletServiceSettings };
const networks = { localnetSettings, clusterSettings };

describe('settings of one program in the environment of another', () => {
  const all = [...Object.values(services), ...Object.values(networks)].flatMap((schema) => variablesOf(schema));
  const environment = Object.fromEntries(all.map((name) => [name, 'x']));

  it.each(Object.entries(services))('%s: nothing is reported', (_, schema) => {
    expect(unknownSettings(variablesOf(schema), environment)).toEqual([]);
  });

  it.each(Object.entries(networks))('%s: only settings without effect are reported', (_, schema) => {
    expect(unknownSettings(variablesOf(schema), environment, { wholeFamilies: true })).toEqual([
      'HEALTH_HOST is not a setting and is ignored; did you mean HEALTH_PORT?',
    ]);
  });
});

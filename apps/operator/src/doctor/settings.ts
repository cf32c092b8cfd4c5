import { z } from 'zod';
import { type Environment, listSetting, readConfiguration } from '@shardnode/core/configuration';
import { busSettings, cacheSettings } from '@shardnode/core/process';
import { firstHealthPort } from '@shardnode/group-node';
import { networkSettings, readNetwork } from '@shardnode/messages/network';
import { givenPlaces, type ServicePlace, servicesSetting } from '../network/service-places.js';

export const doctorSettings = z.object({
  ...busSettings,
  ...networkSettings,
  ...cacheSettings,
  ...servicesSetting,
  DISK_FOLDERS: listSetting({
    description: 'Folders whose disks `operator doctor` checks: those of the databases on this machine.',
    expects: 'folders separated by commas',
    optional: true,
  }),
});

/** Addresses of services as processes on one machine (docs/operations.md). */
const usualPlaces = (groups: number): ServicePlace[] => {
  const host = '127.0.0.1';
  const nodes = Array.from({ length: groups }, (_, group) => ({
    name: `group-node-${group}`,
    host,
    port: firstHealthPort + group,
  }));
  return [
    ...nodes,
    { name: 'wallet-service', host, port: firstHealthPort + groups },
    { name: 'gateway', host, port: 12_973 },
  ];
};

/** @throws ConfigurationError */
export const readDoctorSettings = (environment: Environment) => {
  const settings = readConfiguration(doctorSettings, environment);
  const network = readNetwork(settings);
  const places = givenPlaces(environment);
  return { settings, network, places: places ?? usualPlaces(network.groups), placesAreGiven: places !== undefined };
};

export type DoctorSettings = ReturnType<typeof readDoctorSettings>;

import { z } from 'zod';
import { type Environment, listSetting, readConfiguration } from '@shardnode/core/configuration';
import { canonicalHost } from '@shardnode/core/hosts';
import { busSettings, cacheSettings } from '@shardnode/core/process';
import { firstHealthPort } from '@shardnode/group-node';
import { networkSettings, readNetwork } from '@shardnode/messages/network';

export const doctorSettings = z.object({
  ...busSettings,
  ...networkSettings,
  ...cacheSettings,
  SERVICES: listSetting({
    description:
      'HTTP addresses of the services, for `operator doctor`, and of explorers for `operator status`; default: the ports of a network on this machine, without an explorer.',
    expects: 'names and places like group-node-0=127.0.0.1:12980 or gateway=[::1]:12973 separated by commas',
    pattern: /^[a-z0-9-]+=(?:\[[0-9a-fA-F:.]+\]|[^\s=:[\]/]+):\d+$/,
    optional: true,
  }),
  DISK_FOLDERS: listSetting({
    description: 'Folders whose disks `operator doctor` checks: those of the databases on this machine.',
    expects: 'folders separated by commas',
    optional: true,
  }),
});

/** A service and its HTTP address. */
export interface ServicePlace {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

const placeOf = (text: string): ServicePlace => {
  const [name = '', place = ''] = text.split('=');
  const colon = place.lastIndexOf(':');
  const host = place.slice(0, colon);
  return { name, host: canonicalHost(host) ?? host, port: Number(place.slice(colon + 1)) };
};

/** The addresses that `SERVICES` names; undefined without it. @throws ConfigurationError */
export const givenPlaces = (environment: Environment): readonly ServicePlace[] | undefined =>
  readConfiguration(doctorSettings.pick({ SERVICES: true }), environment).SERVICES?.map(placeOf);

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

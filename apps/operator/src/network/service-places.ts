import { z } from 'zod';
import { type Environment, listSetting, readConfiguration } from '@shardnode/core/configuration';
import { canonicalHost } from '@shardnode/core/hosts';

/** Variable of `doctor` and `status`. */
export const servicesSetting = {
  SERVICES: listSetting({
    description:
      'HTTP addresses of the services, for `operator doctor`, and of explorers for `operator status`; default: the ports of a network on this machine, without an explorer.',
    expects: 'names and places like group-node-0=127.0.0.1:12980 or gateway=[::1]:12973 separated by commas',
    pattern: /^[a-z0-9-]+=(?:\[[0-9a-fA-F:.]+\]|[^\s=:[\]/]+):\d+$/,
    optional: true,
  }),
};

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
  readConfiguration(z.object(servicesSetting), environment).SERVICES?.map(placeOf);

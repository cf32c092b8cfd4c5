import { ConfigurationError } from '@shardnode/core/configuration';
import { firstHealthPort } from '@shardnode/group-node';

/** Ports of health and metrics of the inner services (protocol 00, decision 21). */
export interface HealthPorts {
  /** By group, then that of the wallet-service; 0 takes a free port. */
  readonly ports: readonly number[];
  /** The ports are defaults: free ones replace those in use. */
  readonly orAnyPort: boolean;
}

/** Settings of ports that a person chooses. */
export interface ChosenPorts {
  readonly PORT: number;
  readonly WS_PORT: number | undefined;
  readonly EXPLORER: 'on' | 'off';
  readonly EXPLORER_PORT: number;
  readonly HEALTH_PORT: number | undefined;
}

/** Ports of the settings by their names, without those that are any free port. */
const namedPorts = ({ PORT, WS_PORT, EXPLORER, EXPLORER_PORT }: ChosenPorts): [name: string, port: number][] => {
  const all: [string, number | undefined][] = [
    ['PORT', PORT],
    ['WS_PORT', WS_PORT],
    ['EXPLORER_PORT', EXPLORER === 'on' ? EXPLORER_PORT : undefined],
  ];
  return all.filter((named): named is [string, number] => named[1] !== undefined && named[1] !== 0);
};

/** @throws ConfigurationError for a port that two settings name */
const checkDifferent = (named: readonly (readonly [name: string, port: number])[]): void => {
  for (const [place, [name, port]] of named.entries()) {
    const other = named.slice(0, place).find(([, taken]) => taken === port);
    if (other) throw new ConfigurationError([`${name} must differ from ${other[0]}: both are ${port}.`]);
  }
};

/** The ports of health and metrics. @throws ConfigurationError, also for a port that two settings name */
export const healthPortsOf = (settings: ChosenPorts, groups: number): HealthPorts => {
  const named = namedPorts(settings);
  checkDifferent(named);
  const { HEALTH_PORT: first } = settings;
  const from = first ?? firstHealthPort;
  if (from + groups > 65_535) {
    throw new ConfigurationError([`HEALTH_PORT must be at most ${65_535 - groups}, because ${groups} more follow.`]);
  }
  const ports = Array.from({ length: groups + 1 }, (_, i) => (from === 0 ? 0 : from + i));
  const taken = named.find(([, port]) => ports.includes(port));
  if (first !== undefined && taken) {
    const [name, port] = taken;
    throw new ConfigurationError([
      `HEALTH_PORT must leave the port ${port} of ${name} free; ${ports.length} ports are taken from it on.`,
    ]);
  }
  const chosen = new Set(named.map(([, port]) => port));
  return { ports: ports.map((port) => (chosen.has(port) ? 0 : port)), orAnyPort: first === undefined };
};

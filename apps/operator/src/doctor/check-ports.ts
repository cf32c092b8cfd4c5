import { connect } from 'node:net';
import { z } from 'zod';
import { type GroupReport } from '../status/reports.js';
import { type Finding, fault, ok, skipped, warning } from './finding.js';
import { type DoctorSettings, type ServicePlace } from './settings.js';

/** Milliseconds. */
const patience = 2_000;

const live = z.object({ live: z.literal(true) });
const readiness = z.object({ ready: z.boolean(), reasons: z.array(z.unknown()).optional() });

const listens = ({ host, port }: ServicePlace): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(patience, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** Who listens has said nothing in time: it may be the service, and busy. */
const silent = Symbol('silent');

/** Undefined for what is no JSON. */
const ask = async ({ host, port }: ServicePlace, path: string): Promise<unknown> => {
  try {
    const answer = await fetch(`http://${host}:${port}${path}`, { signal: AbortSignal.timeout(patience) });
    return await answer.json();
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? silent : undefined;
  }
};

const textOfReason = (reason: unknown): string => (typeof reason === 'string' ? reason : JSON.stringify(reason));

const checkService = async (place: ServicePlace): Promise<Finding> => {
  const ready = readiness.safeParse(await ask(place, '/health/ready'));
  if (!ready.success || ready.data.ready) return ok('service', place.name, `answers at ${place.host}:${place.port}`);
  const why = (ready.data.reasons ?? []).map(textOfReason).join('; ');
  return warning(
    'service-not-ready',
    place.name,
    `not ready: ${why}`,
    'The other lines say why; else look at its log.',
  );
};

/** Nobody listens there. */
const absent = (place: ServicePlace, isElsewhere: boolean, isGiven: boolean): Finding => {
  const where = `${place.host}:${place.port}`;
  if (isElsewhere || !isGiven) {
    const next = 'Say with SERVICES where it is, to have its health looked at.';
    return skipped('service', place.name, `nobody listens at ${where}`, next);
  }
  return fault('service-missing', place.name, `nobody listens at ${where}`, `Start ${place.name}, or mend SERVICES.`);
};

const silentService = ({ name, host, port }: ServicePlace): Finding =>
  fault(
    'service-silent',
    name,
    `whoever listens at ${host}:${port} says nothing for ${patience / 1000} s: ${name} hangs or is overloaded, or it is another program`,
    `\`ss -ltnp 'sport = :${port}'\` names it. If it is ${name}: look at its log and at the load of its machine.`,
  );

/** Who listens where services do. A group-node that answers over the bus may be anywhere. */
export const checkPorts = (
  { places, placesAreGiven }: DoctorSettings,
  reports: readonly GroupReport[],
): Promise<Finding[]> =>
  Promise.all(
    places.map(async (place) => {
      const isElsewhere = reports.some(({ group, report }) => report && place.name === `group-node-${group}`);
      if (!(await listens(place))) return absent(place, isElsewhere, placesAreGiven);
      const answer = await ask(place, '/health/live');
      if (live.safeParse(answer).success) return checkService(place);
      if (answer === silent) return silentService(place);
      return fault(
        'port-busy',
        place.name,
        `another program listens at ${place.host}:${place.port}: ${place.name} cannot start there`,
        `Stop that program (\`ss -ltnp 'sport = :${place.port}'\` names it), or give the service another port.`,
      );
    }),
  );

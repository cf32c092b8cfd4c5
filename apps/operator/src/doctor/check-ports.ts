import { connect } from 'node:net';
import { authorityOf, httpUrl } from '@shardnode/core/hosts';
import { z } from 'zod';
import { type HeldService } from '../cluster/held-services.js';
import { expectedNetwork, liveAnswer, otherThan } from './check-identity.js';
import { type GroupReport } from '../status/reports.js';
import { type Finding, fault, ok, skipped, warning } from './finding.js';
import { type DoctorSettings } from './settings.js';
import { type ServicePlace } from '../network/service-places.js';

/** Milliseconds. */
const patience = 2_000;

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

/** The listener has not responded in time: it may be the service under load. */
const silent = Symbol('silent');

/** Undefined for a response that is no JSON. */
const ask = async ({ host, port }: ServicePlace, path: string): Promise<unknown> => {
  try {
    const answer = await fetch(`${httpUrl(host, port)}${path}`, { signal: AbortSignal.timeout(patience) });
    return await answer.json();
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? silent : undefined;
  }
};

const textOfReason = (reason: unknown): string => (typeof reason === 'string' ? reason : JSON.stringify(reason));

/** Blocks that the supply audit of an explorer has found; 0 of any other service. */
const auditFindings = async ({ name, host, port }: ServicePlace): Promise<number> => {
  if (!name.startsWith('explorer')) return 0;
  const answer = await fetch(`${httpUrl(host, port)}/metrics`, { signal: AbortSignal.timeout(patience) });
  const [, count = '0'] = /^explorer_audit_findings(?:\{[^}]*\})? (\d+)$/m.exec(await answer.text()) ?? [];
  return Number(count);
};

const checkService = async (place: ServicePlace): Promise<Finding> => {
  const found = await auditFindings(place).catch(() => 0);
  if (found > 0) {
    return fault(
      'supply-audit',
      place.name,
      `its supply audit has found ${found} blocks that break a rule of the chain: coins may have been made from nothing`,
      'Stop deposits and withdrawals; docs/operations.md, alert-SupplyAuditFailed, says what to look at.',
    );
  }
  const ready = readiness.safeParse(await ask(place, '/health/ready'));
  if (!ready.success || ready.data.ready)
    return ok('service', place.name, `answers at ${authorityOf(place.host, place.port)}`);
  const why = (ready.data.reasons ?? []).map(textOfReason).join('; ');
  return warning(
    'service-not-ready',
    place.name,
    `not ready: ${why}`,
    'The other lines say why; else look at its log.',
  );
};

/** No process listens there. */
const absent = (place: ServicePlace, isElsewhere: boolean, isGiven: boolean): Finding => {
  const where = authorityOf(place.host, place.port);
  if (isElsewhere || !isGiven) {
    const next = 'Say with SERVICES where it is, to have its health looked at.';
    return skipped('service', place.name, `no process listens at ${where}`, next);
  }
  return fault(
    'service-missing',
    place.name,
    `no process listens at ${where}`,
    `Start ${place.name}, or correct SERVICES.`,
  );
};

const heldService = ({ name, release }: HeldService): Finding =>
  warning('service-held', name, 'it is held: the operator has stopped it', `To start it: ${release}`);

const silentService = ({ name, host, port }: ServicePlace): Finding =>
  fault(
    'service-silent',
    name,
    `the process at ${authorityOf(host, port)} does not respond within ${patience / 1000} s: ${name} hangs or is overloaded, or it is another program`,
    `\`ss -ltnp 'sport = :${port}'\` names it. If it is ${name}: look at its log and at the load of its machine.`,
  );

/** A service of this project, but not the expected one. */
const otherService = (place: ServicePlace, why: string, isGiven: boolean): Finding => {
  const text = `a service answers at ${authorityOf(place.host, place.port)}, but ${why}`;
  const next = `Say with SERVICES or --cluster where ${place.name} of this network is.`;
  // The address is a default: the usual port may belong to another network of this machine.
  return (isGiven ? fault : warning)('service-other', place.name, text, next);
};

interface Seen {
  readonly reports: readonly GroupReport[];
  readonly busIds: readonly string[];
  /** Services on hold. */
  readonly held: readonly HeldService[];
}

/** Checks the listeners at the ports of services. A group-node that responds over the bus may be anywhere. */
export const checkPorts = (given: DoctorSettings, { reports, busIds, held }: Seen): Promise<Finding[]> => {
  const { places, placesAreGiven } = given;
  const expected = expectedNetwork(given, busIds);
  return Promise.all(
    places.map(async (place) => {
      const isHeld = held.find(({ name }) => name === place.name);
      if (isHeld) return heldService(isHeld);
      const isElsewhere = reports.some(({ group, report }) => report && place.name === `group-node-${group}`);
      if (!(await listens(place))) return absent(place, isElsewhere, placesAreGiven);
      const answer = await ask(place, '/health/live');
      const live = liveAnswer.safeParse(answer);
      if (live.success) {
        const why = otherThan(place, live.data, expected);
        return why === undefined ? checkService(place) : otherService(place, why, placesAreGiven);
      }
      if (answer === silent) return silentService(place);
      return fault(
        'port-busy',
        place.name,
        `another program listens at ${authorityOf(place.host, place.port)}: ${place.name} cannot start there`,
        `Stop that program (\`ss -ltnp 'sport = :${place.port}'\` names it), or give the service another port.`,
      );
    }),
  );
};

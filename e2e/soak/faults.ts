import { oneOf } from '@shardnode/testing/seeded-random';
import { type Cluster } from '../kit/cluster/cluster.js';
import { groupNodeNames, type ProcessName } from '../kit/cluster/cluster-process.js';
import { type FaultProxy } from '../kit/cluster/fault-proxy.js';
import { endTarget, reviveTarget, serverNames, type Target } from '../kit/cluster/harm.js';
import { openNodeViews } from '../kit/cluster/node-views.js';
import { chains } from '../kit/chains.js';
import { mineAgain, reorganise } from './reorganisation.js';
import { type PlannedKind } from './timetable.js';

/** The processes that run; the kit has one more explorer, which is not started. */
export const runningNames = [
  ...groupNodeNames,
  'wallet-service',
  'gateway',
  'explorer',
] as const satisfies ProcessName[];

/** Milliseconds by which a clock is off. */
const minute = 60_000;
/** Blocks that a reorganisation leaves, at most. */
const deepest = 6;

/** Harm that was done. */
interface Harm {
  /** For people: `group-node-2 killed`. */
  readonly what: string;
  /** Takes it back. */
  readonly undo: () => Promise<void>;
}

export interface FaultKind extends PlannedKind {
  /** Milliseconds from the harm until it is taken back: the least and the most. */
  readonly lastsMs: readonly [number, number];
  readonly harm: (cluster: Cluster, random: () => number) => Promise<Harm>;
}

const killing =
  (...targets: readonly Target[]): FaultKind['harm'] =>
  async (cluster, random) => {
    const target = oneOf(targets, random);
    await endTarget(cluster, target, 'kill -9');
    return { what: `${target} killed`, undo: async () => void (await reviveTarget(cluster, target)) };
  };

/** Between a process and a server that it speaks to. */
const someProxy = (cluster: Cluster, random: () => number): FaultProxy =>
  oneOf(
    serverNames
      .flatMap((server) => cluster.proxiesTo(server))
      .filter(({ name }) => runningNames.some((process) => name.startsWith(`${process} to `))),
    random,
  );

const fillDisk: FaultKind['harm'] = (cluster) => {
  const { disk } = cluster;
  if (!disk) throw new Error('there is no disk to be filled');
  disk.fill();
  const undo = async (): Promise<void> => {
    disk.free();
    // A server that could not write its log has ended; starting it is its operator's part.
    if (cluster.servers.postgres.pid === undefined) await cluster.servers.postgres.start();
  };
  return Promise.resolve({ what: 'the disk of PostgreSQL full', undo });
};

const shiftClock: FaultKind['harm'] = (cluster, random) => {
  const name = oneOf(runningNames, random);
  const offset = oneOf([minute, -minute], random);
  cluster.setClockOffset(name, offset);
  const undo = (): Promise<void> => Promise.resolve(cluster.setClockOffset(name, 0));
  return Promise.resolve({ what: `the clock of ${name} ${offset / 1_000} s off`, undo });
};

const cutConnection: FaultKind['harm'] = (cluster, random) => {
  const proxy = someProxy(cluster, random);
  proxy.cut();
  return Promise.resolve({ what: `${proxy.name} cut`, undo: () => proxy.heal() });
};

const silence: FaultKind['harm'] = (cluster, random) => {
  const proxy = someProxy(cluster, random);
  proxy.blackhole();
  return Promise.resolve({ what: `${proxy.name} silent`, undo: () => proxy.heal() });
};

const reorganiseChain: FaultKind['harm'] = async (cluster, random) => {
  const chain = oneOf(
    chains.filter(({ from, to }) => from !== to),
    random,
  );
  const depth = 1 + Math.floor(random() * deepest);
  const undo = async (): Promise<void> => {
    const views = await openNodeViews(cluster);
    await mineAgain(views.client).finally(() => views.close());
  };
  const views = await openNodeViews(cluster);
  try {
    await reorganise(views.client, chain, depth);
  } catch (error) {
    await undo();
    throw error;
  } finally {
    await views.close();
  }
  return { what: `chain (${chain.from},${chain.to}) reorganised by ${depth}`, undo };
};

/** All kinds of faults. */
export const faultKinds: readonly FaultKind[] = [
  { name: 'kill group-node', weight: 4, place: 'group-node', lastsMs: [0, 5_000], harm: killing(...groupNodeNames) },
  { name: 'kill gateway', weight: 2, place: 'gateway', lastsMs: [0, 5_000], harm: killing('gateway') },
  { name: 'kill wallet-service', weight: 2, place: 'wallet', lastsMs: [0, 5_000], harm: killing('wallet-service') },
  { name: 'kill explorer', weight: 3, place: 'explorer', lastsMs: [0, 5_000], harm: killing('explorer') },
  { name: 'kill PostgreSQL', weight: 3, place: 'postgres', lastsMs: [0, 5_000], harm: killing('postgres') },
  { name: 'kill NATS', weight: 2, place: 'nats', lastsMs: [0, 5_000], harm: killing('nats') },
  { name: 'kill Redis', weight: 2, place: 'redis', lastsMs: [0, 5_000], harm: killing('redis') },
  { name: 'full disk', weight: 2, place: 'postgres', lastsMs: [2_000, 8_000], harm: fillDisk },
  { name: 'clock', weight: 3, place: 'clock', lastsMs: [4_000, 15_000], harm: shiftClock },
  { name: 'cut connection', weight: 2, place: 'connection', lastsMs: [500, 6_000], harm: cutConnection },
  { name: 'silent connection', weight: 2, place: 'connection', lastsMs: [1_000, 6_000], harm: silence },
  { name: 'reorganisation', weight: 3, place: 'chain', isAlone: true, lastsMs: [0, 0], harm: reorganiseChain },
];

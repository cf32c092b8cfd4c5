import {
  chainIndexOfHash,
  hasEnoughWork,
  launchTimestamp,
  parentHashOf,
  type SealedHeader,
  targetValue,
} from '../block/index.js';
import {
  type DagNode,
  expectedTargetOfNodes,
  extendsNode,
  flowTipsOfDeps,
  flowTipsOfNode,
  type HeaderReader,
  missingDependencies,
} from '../dag/index.js';
import { maxTarget, type NetworkSettings } from '../network/index.js';
import { blockVersion, flatIndex, type Hash, sameChain } from '../primitives/index.js';
import { firstRefusal, refuse, type Rule, type Verdict } from './outcome.js';
import { grouped, required } from './rule-tables.js';

/** A header timestamp must be less than this many milliseconds ahead of the local clock (protocol 03 §2.2). */
const futureDriftLimit = 15_000n;

/** The context of header validation. */
export interface HeaderContext {
  readonly settings: NetworkSettings;
  readonly reader: HeaderReader;
  readonly header: SealedHeader;
  /** Local clock, milliseconds. */
  readonly now: bigint;
  /** State hash of the world state at the intra-group dependency: only for own chains, and checked only then. */
  readonly depStateHash?: Hash;
}

const parentOf = ({ reader, header, settings }: HeaderContext): DagNode =>
  reader.node(parentHashOf(header, settings.groups));

const depNodes = ({ reader, header }: HeaderContext): DagNode[] => header.blockDeps.map((dep) => reader.node(dep));

/** Flat index of the chain that each dependency slot of a group requires (protocol 03 §4.1). */
const requiredChains = (from: number, groups: number): number[] => {
  const all = Array.from({ length: groups }, (_, group) => group);
  const ins = all.filter((group) => group !== from).map((group) => group * groups + group);
  return [...ins, ...all.map((to) => from * groups + to)];
};

const depsOnTheirChains = ({ header, settings: { groups } }: HeaderContext): boolean =>
  requiredChains(header.chainIndex.from, groups).every(
    (chain, slot) => flatIndex(chainIndexOfHash(header.blockDeps[slot]!, groups), groups) === chain,
  );

const checkMissing = ({ reader, header }: HeaderContext): Verdict => {
  const missing = missingDependencies(reader, header);
  return missing.length > 0 ? refuse('MissingDeps', missing.join(' ')) : undefined;
};

const hasExpectedTarget = (context: HeaderContext): boolean =>
  context.header.target === expectedTargetOfNodes(context.settings, context.header.chainIndex, depNodes(context));

const unclesAreOldEnough = (context: HeaderContext): boolean => {
  const { header, settings } = context;
  const latest = header.timestamp - settings.uncleDependencyGap;
  return depNodes(context).every((dep) => sameChain(dep.chainIndex, header.chainIndex) || dep.timestamp <= latest);
};

const extendsEach = (ours: readonly DagNode[], theirs: readonly DagNode[]): boolean =>
  ours.every((node, slot) => extendsNode(node, theirs[slot]!));

/**
 * Whether each dependency includes only blocks at or below those that the block includes in that slot (protocol 03
 * §5.1).
 */
const passesFlowCheck = (from: number, deps: readonly DagNode[]): boolean => {
  const own = flowTipsOfDeps(deps);
  return deps.every((dep) => {
    const tips = flowTipsOfNode(dep, from);
    return extendsEach(own.ins, tips.ins) && extendsEach(own.outs, tips.outs);
  });
};

/** Header validation in its order (protocol 03 §5); the numbers are the rows of the document. */
export const headerChecks: readonly Rule<HeaderContext>[] = [
  /*  1 */ required('InvalidBlockVersion', ({ header }) => header.version === blockVersion),
  /*  2 */ grouped('parent is known, else a fault', (context) => void parentOf(context)),
  /*  3 */ required('EarlierThanLaunchTimeStamp', ({ header }) => header.timestamp >= launchTimestamp),
  /*  4 */ required('NoIncreasingTimeStamp', (context) => context.header.timestamp > parentOf(context).timestamp),
  /*  5 */ required('TooAdvancedTimeStamp', ({ header, now }) => header.timestamp < now + futureDriftLimit),
  /*  6 */ required('InvalidDepsNum', ({ header, settings }) => header.blockDeps.length === 2 * settings.groups - 1),
  /*  7 */ required('InvalidDepsIndex', depsOnTheirChains),
  /*  8 */ required('InvalidWorkAmount', ({ header }) => hasEnoughWork(header.hash, header.target)),
  /*  9 */ grouped('MissingDeps', checkMissing),
  /* 10 */ required('InvalidWorkTarget', hasExpectedTarget),
  /* 11 */ required(
    'InvalidDepStateHash',
    ({ header, depStateHash }) => depStateHash === undefined || header.depStateHash === depStateHash,
  ),
  /* 12 */ required('InvalidUncleTimeStamp', unclesAreOldEnough),
  /* 13 */ required('InvalidHeaderFlow', (context) =>
    passesFlowCheck(context.header.chainIndex.from, depNodes(context)),
  ),
];

/** Whether a header is valid (protocol 03 §5). An unknown parent is a fault (UnknownBlock), not a refusal. */
export const checkHeader = (context: HeaderContext): Verdict => firstRefusal(headerChecks, context);

/** First check of every block or header from outside: only its work (protocol 03 §5.2). */
export const preCheck = (settings: NetworkSettings, header: SealedHeader): Verdict =>
  targetValue(header.target) <= targetValue(maxTarget(settings)) && hasEnoughWork(header.hash, header.target)
    ? undefined
    : refuse('InvalidPoW');

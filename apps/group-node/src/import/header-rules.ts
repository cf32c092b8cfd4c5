import { type Hash } from '@shardnode/protocol/primitives';
import { checkForkDepth, checkHeader, refuse, type Verdict } from '@shardnode/protocol/validation';
import { type GroupMemory } from '../memory/group-memory.js';
import { type ImportItem } from './import-item.js';
import { importRoles } from '../dag/roles.js';

/**
 * State hash at the intra-group dependency; undefined when the dependency is on a wrong chain, which another check
 * refuses.
 */
const depStateHash = (memory: GroupMemory, { header }: ImportItem): Hash | undefined => {
  const dependency = memory.dag.node(header.blockDeps[memory.settings.groups - 1 + memory.group]!);
  const isIntra = dependency.from === memory.group && dependency.to === memory.group;
  return isIntra ? memory.states.need(dependency.hash).stateHash : undefined;
};

/** A valid block that starts from a pruned state cannot be judged: the fork is deeper than the horizon. */
const checkHorizon = (memory: GroupMemory, { header }: ImportItem): Verdict => {
  const base = header.blockDeps[memory.settings.groups - 1 + memory.group]!;
  return memory.horizon.isReadable(base)
    ? undefined
    : refuse('StateNotAvailable', `it starts from the state after block ${base}, which is not kept any more`);
};

/** Step 1: all rules that depend on the header alone (protocol 03 §5, §6.4). `now` in milliseconds since 1970. */
export const checkHeaderRules = (memory: GroupMemory, item: ImportItem, now: number): Promise<Verdict> => {
  const { settings, dag } = memory;
  const { header, origin } = item;
  const row = importRoles[item.role];
  return memory.loaded(() => {
    const tooDeep = row.limitsForkDepth && origin === 'received' ? checkForkDepth(dag, header) : undefined;
    if (tooDeep) return tooDeep;
    const stateHash = row.checksDepStateHash ? depStateHash(memory, item) : undefined;
    const refused = checkHeader({ settings, reader: dag, header, now: BigInt(now), depStateHash: stateHash });
    return refused ?? (row.executes ? checkHorizon(memory, item) : undefined);
  });
};

import { type ChainIndex } from '@shardnode/protocol/primitives';

/** The role of a chain at this group-node, which holds group g (protocol 03 §6.1). */
export type ChainRole = 'own' | 'incoming' | 'foreign';

/** Checks and storage of a block, one row per role. */
export interface RoleRow {
  /** Whole blocks, or headers alone. */
  readonly form: 'block' | 'header';
  /** Section 5 check 11: the state hash is known to the holder of the chain's `from` group alone. */
  readonly checksDepStateHash: boolean;
  /** Section 6.4: a body deeper than 200 below the highest tip is refused. */
  readonly limitsForkDepth: boolean;
  /** Section 6.2: all rows, rows 1 to 6, or none. */
  readonly bodyRules: 'own' | 'incoming' | 'none';
  /** Transactions are executed and located; intra-group blocks get a world state. */
  readonly executes: boolean;
}

/**
 * The table of protocol 03 §6.1. `incoming` are the in-chains (k, g), and the copies of (g-1, g-1) that this node
 * stores for its sibling, unexecuted (§12.5 point 5).
 */
export const importRoles: Readonly<Record<ChainRole, RoleRow>> = {
  own: { form: 'block', checksDepStateHash: true, limitsForkDepth: true, bodyRules: 'own', executes: true },
  incoming: {
    form: 'block',
    checksDepStateHash: false,
    limitsForkDepth: true,
    bodyRules: 'incoming',
    executes: false,
  },
  foreign: { form: 'header', checksDepStateHash: false, limitsForkDepth: false, bodyRules: 'none', executes: false },
};

/** The group that stores the second copy of the bodies of (group, group) (protocol 03 §12.5 point 5). */
const copyHolderOf = (group: number, groups: number): number => (group + 1) % groups;

/** The groups that store the bodies of a chain: the owner first, then its second holder. */
export const bodyHoldersOf = (chain: ChainIndex, groups: number): readonly [owner: number, second: number] => [
  chain.from,
  chain.to === chain.from ? copyHolderOf(chain.from, groups) : chain.to,
];

/** The role of a chain at the group-node of `group`. */
export const roleOf = (chain: ChainIndex, group: number, groups: number): ChainRole => {
  if (chain.from === group) return 'own';
  return bodyHoldersOf(chain, groups)[1] === group ? 'incoming' : 'foreign';
};

import { type ChainRole } from '../dag/roles.js';

/** Steps of the import that are measured; `wait` is that for the writer's turn, `commit` has the plan before it. */
export const importStages = ['wait', 'header-rules', 'block-rules', 'execute', 'commit', 'publish'] as const;
export type ImportStage = (typeof importStages)[number];

/** ObserveResponse what the import does; nothing of it waits. */
export interface ImportMeasures {
  readonly stage: (stage: ImportStage, milliseconds: number) => void;
  /** A block or a header was stored. */
  readonly stored: (role: ChainRole) => void;
  /** The best intra-group chain left so many blocks behind for others. */
  readonly reorganised: (depth: number) => void;
}

export const noMeasures: ImportMeasures = {
  stage: () => undefined,
  stored: () => undefined,
  reorganised: () => undefined,
};

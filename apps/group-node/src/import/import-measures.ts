import { type ChainRole } from '../dag/roles.js';

/** Measured steps of the import; `wait` is the time in the writer's queue, `commit` includes the plan before it. */
export const importStages = ['wait', 'header-rules', 'block-rules', 'execute', 'commit', 'publish'] as const;
export type ImportStage = (typeof importStages)[number];

/** Observers of the import; the import never waits for them. */
export interface ImportMeasures {
  readonly stage: (stage: ImportStage, milliseconds: number) => void;
  /** A block or a header was stored. */
  readonly stored: (role: ChainRole) => void;
  /** A reorganisation replaced so many blocks of the best intra-group chain. */
  readonly reorganised: (depth: number) => void;
}

export const noMeasures: ImportMeasures = {
  stage: () => undefined,
  stored: () => undefined,
  reorganised: () => undefined,
};

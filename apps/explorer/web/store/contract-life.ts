import { type ContractLife, type ContractMoment } from './contract-forms.js';

/** A change of the code that the page has seen: the chain keeps no mark of it. */
export interface Migration {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** Hashes of the code. */
  readonly from: string;
  readonly to: string;
}

export type LifeStep =
  | ({ readonly kind: 'created' | 'again'; readonly parent: string | null } & ContractMoment)
  | ({ readonly kind: 'migrated' } & Migration)
  | ({
      readonly kind: 'destroyed';
      /** Milliseconds since its creation. */
      readonly livedMs: number;
    } & ContractMoment);

/**
 * What happened to a contract, oldest first.
 * @param lives newest first
 * @param isWhole whether the oldest of them is its first one
 */
export const lifeSteps = (
  lives: readonly ContractLife[],
  migrations: readonly Migration[],
  isWhole: boolean,
): LifeStep[] => {
  const steps = lives.toReversed().flatMap(({ creation, destruction, parent }, i): LifeStep[] => [
    { kind: i === 0 && isWhole ? 'created' : 'again', parent, ...creation },
    ...(destruction === null
      ? []
      : [
          {
            kind: 'destroyed' as const,
            livedMs: Math.max(0, destruction.timestamp - creation.timestamp),
            ...destruction,
          },
        ]),
  ]);
  const migrated = migrations.map((migration): LifeStep => ({ kind: 'migrated', ...migration }));
  // Stable: the steps of one moment stay in their order.
  return [...steps, ...migrated].sort((a, b) => a.timestamp - b.timestamp);
};

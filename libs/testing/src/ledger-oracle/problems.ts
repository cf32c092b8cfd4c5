/** Problems that the oracle can find. One name per kind of problem, so that tests can expect it. */
export type ProblemName =
  // Blocks and their order.
  | 'BlockUndecodable'
  | 'BlockOnOtherChain'
  | 'GenesisMissing'
  | 'GenesisDiffers'
  | 'LinkBroken'
  | 'DependencyUnknown'
  | 'DependencyOnOtherChain'
  | 'DependenciesConflict'
  | 'TimestampNotIncreasing'
  | 'WorkMissing'
  | 'TransactionsRootDiffers'
  | 'HoldersDiffer'
  // Transactions.
  | 'ContractsNotModelled'
  | 'ScriptBetweenGroups'
  | 'TakenWithoutScript'
  | 'ScriptRefused'
  | 'CoinbaseMalformed'
  | 'RewardDiffers'
  | 'TransactionDoesNotBalance'
  | 'TokensDoNotBalance'
  | 'TransactionInOtherGroup'
  | 'OutputUnknown'
  | 'OutputNotVisible'
  | 'OutputOffChain'
  | 'OutputSpentTwice'
  | 'OutputLocked'
  // Contracts.
  | 'ContractWithoutOutput'
  | 'ContractOutputWithoutContract'
  | 'ImmutableEntryMissing'
  | 'ImmutableEntryDiffers'
  | 'ContractDiffers'
  | 'EventsDiffer'
  // The ledger as a whole.
  | 'TransactionConfirmedTwice'
  | 'AcknowledgedMissing'
  | 'AcknowledgedOnOtherChain'
  | 'SupplyDiffers'
  | 'StateHashDiffers'
  | 'StoredStateDiffers'
  | 'LedgerAndStateDiffer';

export interface Problem {
  readonly name: ProblemName;
  /** A sentence with the hashes in question. */
  readonly detail: string;
}

/** Limit of details per name; further problems are only counted, because one lost block causes hundreds. */
const mostOfOneName = 50;

/** Collects problems; the same problem found twice counts once. */
export class Problems {
  private readonly seen = new Set<string>();
  private readonly kept: Problem[] = [];
  private readonly counts = new Map<ProblemName, number>();

  /** `key` identifies a problem of this name: an output, a block, a transaction. */
  add(name: ProblemName, key: string, detail: string): void {
    const id = `${name} ${key}`;
    if (this.seen.has(id)) return;
    this.seen.add(id);
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    if (count <= mostOfOneName) this.kept.push({ name, detail });
  }

  get list(): readonly Problem[] {
    return this.kept;
  }

  /** How often each name was met. */
  get countOf(): ReadonlyMap<ProblemName, number> {
    return this.counts;
  }
}

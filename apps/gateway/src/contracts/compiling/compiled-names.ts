import { RecentMap } from '@shardnode/core/eviction';
import { type FailureNames } from '@shardnode/messages';
import { type SourceNames } from './compile-job.js';
import { type NamesFile } from './names-file.js';

/** Contracts, each with at most 16 Ki characters of names (`isSmall`). */
const mostContracts = 1_000;

/**
 * Names in sources that this gateway compiled lately, by the hash of their code. A hash fixes the code, not its names:
 * those of the last source that made it are shown. A development network stores them, too.
 */
export class CompiledNames {
  private readonly byHash = new RecentMap<string, SourceNames>(mostContracts);

  /** @param file where they outlive the process; undefined: nowhere */
  constructor(private readonly file?: NamesFile) {
    this.retain(file?.read() ?? []);
  }

  add(contracts: readonly SourceNames[]): void {
    if (contracts.length === 0) return;
    this.retain(contracts);
    this.file?.store([...new Set(this.byHash.values())]);
  }

  /** The names of the contract with this code; undefined: this gateway has not compiled it lately. */
  ofCode(codeHash: string): SourceNames | undefined {
    return this.byHash.get(codeHash);
  }

  /** Contracts whose name begins with a text, in any case; the last compiled one first. */
  named(text: string): Pick<SourceNames, 'contract' | 'codeHashes'>[] {
    const wanted = text.toLowerCase();
    const found = [...this.byHash.values()].filter(({ contract }) => contract.toLowerCase().startsWith(wanted));
    return [...new Set(found.reverse())].map(({ contract, codeHashes }) => ({ contract, codeHashes }));
  }

  /** `failure`: the data of an error, as group-nodes send them. */
  ofFailure({ failedCode, failedMethod, assertionCode }: Readonly<Record<string, unknown>>): FailureNames {
    const names = typeof failedCode === 'string' ? this.byHash.get(failedCode) : undefined;
    if (!names) return {};
    const failed = names.functions[Number(failedMethod)]?.name;
    const meant = names.errorCodes.filter(([, code]) => code === assertionCode).map(([name]) => name);
    return {
      failedFunction: failed === undefined ? undefined : `${names.contract}.${failed}`,
      assertionName: meant.length === 0 ? undefined : meant.join(', '),
    };
  }

  private retain(contracts: readonly SourceNames[]): void {
    for (const names of contracts)
      for (const hash of names.codeHashes) {
        // Behind all others, although it may be known.
        this.byHash.delete(hash);
        this.byHash.set(hash, names);
      }
  }
}

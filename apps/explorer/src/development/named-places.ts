import { Inject, Injectable } from '@nestjs/common';
import { type SearchHit } from '../answers/search.js';
import { ContractStates } from '../group-nodes/contract-states.js';
import { newestContracts } from '../reads/contract-reads.js';
import { Reads } from '../database/reads.js';
import { developmentTools, type DevelopmentTools } from './development-tools.js';

/** The newest contracts, whose code is compared with the sources. A network of one person has few. */
const mostContracts = 200;

const fewestCharacters = 2;

/** Accounts and contracts by the names that a development network gives them; another network has none. */
@Injectable()
export class NamedPlaces {
  constructor(
    @Inject(developmentTools) private readonly tools: DevelopmentTools | undefined,
    private readonly reads: Reads,
    private readonly states: ContractStates,
  ) {}

  /** Those whose name begins with a text, in any case. @throws ServiceError of the index */
  async find(text: string): Promise<SearchHit[]> {
    if (this.tools === undefined || text.length < fewestCharacters) return [];
    const accounts = this.tools.accounts.filter(({ name }) => name.toLowerCase().startsWith(text.toLowerCase()));
    return [
      ...accounts.map(({ name, address }) => ({ kind: 'address' as const, id: address, label: name })),
      ...(await this.contracts(this.tools, text)),
    ];
  }

  private async contracts(tools: DevelopmentTools, text: string): Promise<SearchHit[]> {
    const named = await tools.codesNamed(text);
    if (named.length === 0) return [];
    const nameOf = new Map(named.flatMap(({ contract, codeHashes }) => codeHashes.map((hash) => [hash, contract])));
    const addresses = await this.reads.of((snapshot) => newestContracts(snapshot, mostContracts));
    const found = await Promise.all(addresses.map(async (id) => [id, nameOf.get(await this.codeOf(id))] as const));
    return found.flatMap(([id, label]) => (label === undefined ? [] : [{ kind: 'contract' as const, id, label }]));
  }

  /** Empty: the contract is gone, or its group-node is away. */
  private codeOf(address: string): Promise<string> {
    return this.states.of(address).then(
      ({ codeHash }) => codeHash,
      () => '',
    );
  }
}

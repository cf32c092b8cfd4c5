import { type LedgerEvent } from './contract-rules.js';
import { type ContractEntry, type ContractStates } from './contract-states.js';
import { type KnownBlocks } from './known-blocks.js';
import { type MainLedger } from './main-ledger.js';
import { type Problems } from './problems.js';

/** A contract as reported by the node of its group; encoded values in hexadecimal digits. */
export interface ShownContract extends Omit<ContractEntry, 'reference'> {
  /** attoCoin */
  readonly amount: bigint;
  readonly tokens: readonly { readonly id: string; readonly amount: bigint }[];
}

/** Contracts and events as reported by nodes. */
export interface NodeContracts {
  /** Every contract that had an output in a canonical block; undefined: unknown to the node. Absent: not loaded. */
  readonly contracts?: ReadonlyMap<string, ShownContract | undefined>;
  /** All pages of these contracts, joined. */
  readonly eventsOfContract: ReadonlyMap<string, readonly LedgerEvent[]>;
  /** Of canonical intra-group blocks with scripts. */
  readonly eventsOfBlock: ReadonlyMap<string, readonly LedgerEvent[]>;
}

interface Compared {
  readonly known: KnownBlocks;
  readonly contracts: ContractStates;
  readonly ledger: MainLedger;
  readonly problems: Problems;
}

/** Debug messages are recorded, and not among the events of a contract (protocol 04 §6.3). */
const debugIndex = -3;

const contractText = ({
  contractId,
  mutableFields,
  immutableFields,
  codeHash,
  initialStateHash,
  code,
}: Omit<ContractEntry, 'reference'>): string =>
  [contractId, codeHash, initialStateHash, immutableFields, mutableFields, code].join(' ');

const assetText = (amount: bigint, tokens: ShownContract['tokens']): string =>
  [amount, ...tokens.map((token) => `${token.id} ${token.amount}`)].join(' ');

const eventText = ({ contractId, txId, eventIndex, fields }: LedgerEvent): string =>
  [contractId, txId, eventIndex, fields].join(' ');

const expectedContracts = ({ known, contracts, ledger }: Compared): Map<string, string> => {
  const texts = new Map<string, string>();
  for (let group = 0; group < known.groups; group++) {
    const last = known.list(group, group).at(-1);
    for (const contract of last ? contracts.contractsAfter(last) : []) {
      const owned = ledger.unspent.get(contract.reference)?.output;
      const assets = owned ? assetText(owned.amount, owned.tokens) : 'no output';
      texts.set(contract.contractId, `${contractText(contract)}: ${assets}`);
    }
  }
  return texts;
};

const compareContracts = (shown: NonNullable<NodeContracts['contracts']>, compared: Compared): void => {
  const expected = expectedContracts(compared);
  for (const id of new Set([...expected.keys(), ...shown.keys()])) {
    const contract = shown.get(id);
    const text = contract && `${contractText(contract)}: ${assetText(contract.amount, contract.tokens)}`;
    if (text === expected.get(id)) continue;
    compared.problems.add(
      'ContractDiffers',
      id,
      `a node shows ${text ?? `no ${id}`}, it is ${expected.get(id) ?? 'gone'}`,
    );
  }
};

const compareEvents = (nodes: NodeContracts, { known, contracts, problems }: Compared): void => {
  const differ = (
    what: string,
    shown: readonly LedgerEvent[],
    expected: readonly LedgerEvent[],
    sorted: boolean,
  ): void => {
    const [a, b] = [shown, expected].map((events) => events.map(eventText)) as [string[], string[]];
    if (sorted ? a.sort().join() === b.sort().join() : a.join() === b.join()) return;
    problems.add(
      'EventsDiffer',
      what,
      `a node shows ${a.length} events of ${what}, it has ${b.length}: ${a[0]}, ${b[0]}`,
    );
  };
  const byContract = new Map<string, LedgerEvent[]>();
  for (let group = 0; group < known.groups; group++) {
    for (const { hash } of known.list(group, group)) {
      const events = contracts.eventsOf(hash);
      differ(`block ${hash}`, nodes.eventsOfBlock.get(hash) ?? [], events, false);
      for (const event of events) {
        const own = byContract.get(event.contractId) ?? [];
        own.push(event);
        byContract.set(event.contractId, own);
      }
    }
  }
  // Pages are in the order of acceptance of blocks, which no block contains.
  for (const [id, shown] of nodes.eventsOfContract) {
    const own = (byContract.get(id) ?? []).filter(({ eventIndex }) => eventIndex !== debugIndex);
    differ(`contract ${id}`, shown, own, true);
  }
};

/** Compares the contracts and events of nodes with those of the blocks. */
export const compareNodeContracts = (nodes: NodeContracts, compared: Compared): void => {
  if (nodes.contracts) compareContracts(nodes.contracts, compared);
  compareEvents(nodes, compared);
};

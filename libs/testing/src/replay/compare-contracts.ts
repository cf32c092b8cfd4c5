import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Differences } from './differences.js';
import { blockOf, type History, type RecordedBlock, type RecordedContract } from './history.js';
import { type ReplayContract, type ReplayTarget } from './replay-target.js';
import { contractIdOf, fieldsOf } from './recorded-values.js';

/** Flags and gas of the transactions of a recorded block, right after its import. */
export const compareTransactions = async (
  target: ReplayTarget,
  line: RecordedBlock,
  where: string,
  settings: History['settings'],
  differences: Differences,
): Promise<void> => {
  if (!line.txs) return;
  const { transactions } = blockOf(line.raw, settings);
  const flags = line.txs.map(({ scriptExecutionOk }) => scriptExecutionOk);
  differences.compare(
    where,
    'flags of scripts',
    flags,
    transactions.map(({ scriptExecutionOk }) => scriptExecutionOk),
  );
  if (!target.gasUsed || !line.txs.some(({ gasUsed }) => gasUsed !== undefined)) return;
  const found = await target.gasUsed(line.hash);
  const recorded = line.txs.slice(0, -1).map(({ gasUsed }) => gasUsed);
  differences.compare(
    where,
    'gas used',
    recorded,
    found.map((gas, i) => (recorded[i] === undefined ? undefined : gas)),
  );
};

/** The events of every recorded block, on any branch. */
export const compareEvents = async (
  target: ReplayTarget,
  history: History,
  differences: Differences,
): Promise<void> => {
  if (!target.events || !history.blocks.some(({ events }) => events)) return;
  for (const { hash, chain, events = [] } of history.blocks) {
    const [from, to] = chain;
    if (from !== to) continue;
    const found = await target.events(hash, from);
    const withPlaces = found.some(({ place }) => place !== undefined);
    differences.compare(
      `events of block ${hash.slice(0, 8)}`,
      'events',
      events.map(({ contract, txId, index, fields, counter, offset }) => [
        contractIdOf(contract),
        txId,
        index,
        fieldsOf(fields),
        withPlaces ? `${counter}.${offset}` : '',
      ]),
      found.map(({ contractId, txId, eventIndex, fields, place = '' }) => [
        contractId,
        txId,
        eventIndex,
        bytesToHex(fields),
        place,
      ]),
    );
  }
};

type Comparable = Readonly<Record<keyof ReplayContract, unknown>>;

const recordedForm = (contract: RecordedContract): Comparable => ({
  code: contract.bytecode,
  codeHash: contract.codeHash,
  initialStateHash: contract.initialStateHash,
  immutableFields: fieldsOf(contract.immFields),
  mutableFields: fieldsOf(contract.mutFields),
  outputReference: contract.contractOutputRef,
  amount: contract.attoCoinAmount,
  tokens: contract.tokens.map(({ id, amount }) => [id, amount]),
  eventRecords: contract.eventCount,
});

const foundForm = (contract: ReplayContract): Comparable => ({
  ...contract,
  code: bytesToHex(contract.code),
  immutableFields: bytesToHex(contract.immutableFields),
  mutableFields: bytesToHex(contract.mutableFields),
  tokens: contract.tokens.map(({ id, amount }) => [id, amount]),
});

/** Every recorded contract at the end of the history. */
export const compareContracts = async (
  target: ReplayTarget,
  { final }: History,
  differences: Differences,
): Promise<void> => {
  if (!target.contract) return;
  for (const { group, contracts = [] } of final.groups) {
    for (const recorded of contracts) {
      const where = `final state of contract ${recorded.contractId.slice(0, 8)}`;
      const contract = await target.contract(recorded.contractId, group);
      const [expected, found] = [recordedForm(recorded), contract && foundForm(contract)];
      for (const what of Object.keys(expected) as (keyof ReplayContract)[])
        differences.compare(where, what, expected[what], found?.[what]);
    }
  }
};

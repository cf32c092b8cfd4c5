import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseAddress } from '@shardnode/protocol/address';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { valsCodec } from '@shardnode/protocol/script';
import { contractRules } from '../contract-rules/index.js';
import { MemoryNode, memoryNodeTarget } from '../memory-node/index.js';
import { readHistory, type RecordedBlock } from '../replay/index.js';
import { historyFolder } from '../vectors/index.js';
import { type ContractRules, createLedgerOracle, type LedgerReport, type NodeContracts } from './index.js';

const history = readHistory(historyFolder('chain'));
const { settings } = history;
const canonical = [...history.genesis, ...history.blocks.filter((block) => block.canonical)];

const verified = (rules: ContractRules | undefined, shown?: NodeContracts, blocks = canonical): LedgerReport => {
  const oracle = createLedgerOracle({ genesis: settings, groups: 4, ...(rules ? { contractRules: rules } : {}) });
  for (const { chain, raw } of blocks) oracle.addCanonical({ from: chain[0], to: chain[1] }, [hexToBytes(raw)]);
  oracle.addSide(history.blocks.filter((block) => !block.canonical).map(({ raw }) => hexToBytes(raw)));
  if (shown) oracle.load({ chains: [], contracts: shown });
  return oracle.verify();
};

const contractIdOf = (address: string): string => {
  const lockup = parseAddress(address);
  if (lockup?.kind !== 'p2c') throw new Error(`not a contract: ${address}`);
  return lockup.contractId;
};

describe('the ledger oracle over the history with contracts', () => {
  let report: LedgerReport;
  beforeAll(() => {
    report = verified(contractRules(settings));
  });

  it('finds nothing wrong but what open forks make', () => {
    const names = ['OutputSpentTwice', 'OutputOffChain', 'TransactionConfirmedTwice', 'SupplyDiffers'];
    expect(report.problems.filter(({ name }) => !names.includes(name))).toEqual([]);
  });

  it('computes every recorded state hash, those of side branches too', () => {
    const recorded = history.blocks.filter((block) => block.worldState);
    expect(recorded.length).toBeGreaterThan(100);
    for (const { hash, worldState } of recorded) expect(report.stateHashAfter(hash)).toBe(worldState!.stateHash);
  });

  it('has every recorded event', () => {
    let count = 0;
    for (const { hash, chain, events = [] } of history.blocks) {
      if (chain[0] !== chain[1]) continue;
      count += events.length;
      expect(report.eventsOf(hash).map(({ contractId, txId, eventIndex }) => [contractId, txId, eventIndex])).toEqual(
        events.map(({ contract, txId, index }) => [contractIdOf(contract), txId, index]),
      );
    }
    expect(count).toBeGreaterThan(100);
  });

  it('has those of the last block, and none that was destroyed in the block that made it', () => {
    const rules = contractRules(settings);
    const shortLived: ContractRules = (block, before) => {
      const effects = rules(block, before);
      return { ...effects, records: new Map([...effects.records, ['11'.repeat(32), undefined]]) };
    };
    const created = ({ events = [] }: RecordedBlock): string[] =>
      events.flatMap(({ index, fields }) => (index === -1 ? [contractIdOf(String(fields[0]!.value))] : []));
    const first = history.blocks.find((block) => block.canonical && created(block).length > 0)!;
    const last = verified(shortLived, undefined, canonical.slice(0, canonical.indexOf(first) + 1));
    expect(last.contractsOf(first.chain[0]).map(({ contractId }) => contractId)).toEqual(created(first).sort());
  });

  it('has the contracts of the final state', () => {
    for (const { group, contracts = [] } of history.final.groups) {
      const own = new Map(report.contractsOf(group).map((contract) => [contract.contractId, contract]));
      expect([...own.keys()]).toEqual(contracts.map(({ contractId }) => contractId).sort());
      for (const { contractId, codeHash, initialStateHash, bytecode, contractOutputRef } of contracts) {
        const expected = { codeHash, initialStateHash, code: bytecode, reference: contractOutputRef };
        expect(own.get(contractId)).toMatchObject(expected);
      }
    }
  });
});

describe('what the ledger oracle finds wrong in contracts', () => {
  const rules = contractRules(settings);
  let shown: Required<NodeContracts>;
  beforeAll(async () => {
    const node = new MemoryNode(settings);
    for (const { raw } of history.blocks) node.importBlock(hexToBytes(raw));
    const target = memoryNodeTarget(node);
    const known = history.final.groups.flatMap(({ group, contracts = [] }) =>
      contracts.map(({ contractId }) => ({ contractId, group })),
    );
    const contracts = await Promise.all(
      known.map(async ({ contractId, group }) => {
        const found = (await target.contract!(contractId, group))!;
        const amount = BigInt(found.amount);
        const tokens = found.tokens.map((token) => ({ id: token.id, amount: BigInt(token.amount) }));
        const [code, immutableFields, mutableFields] = [found.code, found.immutableFields, found.mutableFields].map(
          bytesToHex,
        );
        const { codeHash, initialStateHash } = found;
        const texts = { code: code!, immutableFields: immutableFields!, mutableFields: mutableFields! };
        return [contractId, { contractId, codeHash, initialStateHash, ...texts, amount, tokens }] as const;
      }),
    );
    const blocks = history.blocks.filter((block) => block.canonical && block.worldState);
    const eventsOfBlock = blocks.map(({ hash }) => {
      const events = node.eventsOf(hash).map(({ contractId, transactionId, eventIndex, fields }) => {
        return { contractId, txId: transactionId, eventIndex, fields: bytesToHex(encode(valsCodec, fields)) };
      });
      return [hash, events] as const;
    });
    const all = eventsOfBlock.flatMap(([, events]) => events).filter(({ eventIndex }) => eventIndex !== -3);
    const ofContract = (id: string) => all.filter(({ contractId }) => contractId === id);
    const eventsOfContract = known.map(({ contractId }) => [contractId, ofContract(contractId)] as const);
    shown = {
      contracts: new Map(contracts),
      eventsOfBlock: new Map(eventsOfBlock),
      eventsOfContract: new Map(eventsOfContract),
    };
  });

  const foundWith = (changed: ContractRules | undefined, nodes?: NodeContracts): string[] =>
    [...verified(changed, nodes).problemCounts.keys()].filter(
      (name) => !['OutputSpentTwice', 'OutputOffChain', 'TransactionConfirmedTwice', 'SupplyDiffers'].includes(name),
    );

  it('nothing where a node shows what the blocks say', () => {
    expect(shown.contracts.size).toBeGreaterThan(20);
    expect(foundWith(rules, shown)).toEqual([]);
  });

  it('a contract with another field, one without, one too many', () => {
    const [[id, contract]] = [...shown.contracts] as [
      [string, NonNullable<ReturnType<Required<NodeContracts>['contracts']['get']>>],
    ];
    for (const other of [{ ...contract, mutableFields: '00' }, { ...contract, amount: 1n }, undefined]) {
      expect(foundWith(rules, { ...shown, contracts: new Map([...shown.contracts, [id, other]]) })).toEqual([
        'ContractDiffers',
      ]);
    }
    const more = new Map([...shown.contracts, ['11'.repeat(32), contract]]);
    expect(foundWith(rules, { ...shown, contracts: more })).toEqual(['ContractDiffers']);
  });

  it('an event that is lost, or shown twice', () => {
    const [hash, events] = [...shown.eventsOfBlock].find(([, list]) => list.length > 0)!;
    for (const other of [events.slice(1), [...events, events[0]!]]) {
      expect(foundWith(rules, { ...shown, eventsOfBlock: new Map([...shown.eventsOfBlock, [hash, other]]) })).toEqual([
        'EventsDiffer',
      ]);
    }
    const [id, own] = [...shown.eventsOfContract].find(([, list]) => list.length > 0)!;
    const without = new Map([...shown.eventsOfContract, [id, own.slice(1)]]);
    expect(foundWith(rules, { ...shown, eventsOfContract: without })).toEqual(['EventsDiffer']);
  });

  it('scripts that leave another state, or other immutable entries', () => {
    const lost: ContractRules = (block, before) => ({ ...rules(block, before), records: new Map() });
    expect(foundWith(lost)).toEqual(expect.arrayContaining(['StateHashDiffers', 'ContractOutputWithoutContract']));
    const empty: ContractRules = (block, before) => ({ ...rules(block, before), immutable: new Map() });
    expect(foundWith(empty)).toEqual(expect.arrayContaining(['ImmutableEntryMissing', 'ScriptRefused']));
    const wrong: ContractRules = (block, before) => {
      const effects = rules(block, before);
      return { ...effects, immutable: new Map([...effects.immutable].map(([hash]) => [hash, Uint8Array.of(0, 1)])) };
    };
    expect(foundWith(wrong)).toContain('ImmutableEntryDiffers');
  });

  it('scripts, where nobody gave it a machine', () => {
    expect(foundWith(undefined)).toEqual(expect.arrayContaining(['ContractsNotModelled', 'StateHashDiffers']));
  });
});

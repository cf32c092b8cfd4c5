import { decodeBlock } from '@shardnode/protocol/block';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type EventItem, type GroupClient } from '@shardnode/messages';
import { type LedgerEvent } from './contract-rules.js';
import { isNotFound } from './load-side-blocks.js';
import { mapBounded } from './map-bounded.js';
import { type NodeContracts, type ShownContract } from './node-contracts.js';

/** Entries per response. */
const pageLength = 100;

const groupOf = (contractId: string): number => parseInt(contractId.slice(-2), 16);

const eventOf = ({ contractId, txId, eventIndex, fields }: EventItem): LedgerEvent => ({
  contractId,
  txId,
  eventIndex,
  fields: bytesToHex(fields),
});

const loadContract = async (client: GroupClient, contractId: string): Promise<ShownContract | undefined> => {
  try {
    const shown = await client.request(groupOf(contractId), 'read.contract.stored', { contractId });
    return {
      contractId,
      codeHash: shown.codeHash,
      initialStateHash: shown.initialStateHash,
      immutableFields: bytesToHex(shown.immutableFields),
      mutableFields: bytesToHex(shown.mutableFields),
      code: bytesToHex(shown.code),
      amount: BigInt(shown.amount),
      tokens: shown.tokens.map(({ id, amount }) => ({ id, amount: BigInt(amount) })),
    };
  } catch (error) {
    // Destroyed since.
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

const loadPages = async (client: GroupClient, contractId: string): Promise<LedgerEvent[]> => {
  const found: LedgerEvent[] = [];
  const group = groupOf(contractId);
  for (let start = 0; ;) {
    const page = await client.request(group, 'read.events.contract', { contractId, start, limit: pageLength });
    found.push(...page.events.map(eventOf));
    if (page.nextStart <= start) return found;
    start = page.nextStart;
  }
};

/**
 * All contracts that ever had an output in a canonical block, with their events and those of the blocks, as reported by
 * nodes.
 */
export const loadNodeContracts = async (
  client: GroupClient,
  canonical: readonly Uint8Array[],
  concurrency: number,
): Promise<NodeContracts> => {
  const scripted: { readonly hash: string; readonly from: number }[] = [];
  const owners = new Set<string>();
  // One at a time: decoded blocks take many times their bytes.
  for (const raw of canonical) {
    const { header, transactions } = decodeBlock(raw, client.groups, { genesis: 'accepted' });
    if (!transactions.some(({ unsigned }) => unsigned.script)) continue;
    scripted.push({ hash: header.hash, from: header.chainIndex.from });
    for (const output of transactions.flatMap(({ generatedOutputs }) => generatedOutputs)) {
      if (output.kind === 'contract') owners.add(output.contractId);
    }
  }
  const ids = [...owners];
  const byId = <Value>(load: (client: GroupClient, id: string) => Promise<Value>) =>
    mapBounded(ids, concurrency, async (id) => [id, await load(client, id)] as const);
  const eventsOfBlock = await mapBounded(scripted, concurrency, async ({ hash, from }) => {
    const { events } = await client.request(from, 'read.events.block', { hash });
    return [hash, events.map(eventOf)] as const;
  });
  return {
    contracts: new Map(await byId(loadContract)),
    eventsOfContract: new Map(await byId(loadPages)),
    eventsOfBlock: new Map(eventsOfBlock),
  };
};

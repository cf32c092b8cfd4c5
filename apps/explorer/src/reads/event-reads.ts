import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type EventAnswer } from '../answers/events.js';
import { bounds, first, type Page, type Part, partOf } from '../database/page.js';
import { type Snapshot } from '../database/snapshot.js';

interface EventRow {
  readonly block_id: bigint;
  readonly event_order: number;
  readonly event_index: number;
  readonly fields: EventAnswer['fields'];
  readonly block_hash: Buffer;
  readonly block_timestamp: bigint;
  readonly tx_hash: Buffer;
  readonly contract: string;
  readonly input_address: string | null;
}

const eventOf = (row: EventRow): EventAnswer => ({
  blockHash: bytesToHex(row.block_hash),
  timestamp: Number(row.block_timestamp),
  txHash: bytesToHex(row.tx_hash),
  contractAddress: row.contract,
  inputAddress: row.input_address,
  eventIndex: row.event_index,
  fields: row.fields,
});

/** Events of a part with what belongs to them. */
const joined = (schema: string, part: string): string =>
  `SELECT e.block_id, e.event_order, e.event_index, e.fields, b.hash AS block_hash, b.block_timestamp,
     t.hash AS tx_hash, c.address AS contract, i.address AS input_address
   FROM (${part}) e
   JOIN ${schema}.blocks b ON b.main_chain AND b.block_id = e.block_id
   JOIN ${schema}.transactions t ON t.tx_id = e.tx_id
   JOIN ${schema}.addresses c ON c.address_id = e.contract_id
   LEFT JOIN ${schema}.addresses i ON i.address_id = e.input_address_id
   ORDER BY e.block_id DESC, e.event_order`;

/** Events of a transaction in their order. */
export const eventsOfTransaction = async ({ schema, query }: Snapshot, hash: Hash): Promise<EventAnswer[]> => {
  const rows = await query<EventRow>(
    'events-of-transaction',
    joined(
      schema,
      `SELECT * FROM ${schema}.events
       WHERE tx_id = (SELECT max(tx_id) FROM ${schema}.transactions WHERE hash = $1)`,
    ),
    [Buffer.from(hash, 'hex')],
  );
  return rows.map(eventOf);
};

/** Which events: those of a contract, of transactions of an address, or both. */
export interface EventFilter {
  readonly contract?: string | undefined;
  readonly inputAddress?: string | undefined;
  readonly eventIndex?: number | undefined;
}

/** Conditions of a filter: name of the statement, text and value. The place of the value is its number. */
const conditionsOf = (
  schema: string,
  { contract, inputAddress, eventIndex }: EventFilter,
): { readonly name: string; readonly text: string; readonly values: readonly (string | number)[] } => {
  const address = (place: number): string => `(SELECT address_id FROM ${schema}.addresses WHERE address = $${place})`;
  const offset = 5;
  const values: (string | number)[] = [];
  const parts: string[] = [];
  const names = ['list-events'];
  const add = (name: string, value: string | number | undefined, part: (place: number) => string): void => {
    if (value === undefined) return;
    names.push(name);
    parts.push(part(offset + values.length));
    values.push(value);
  };
  add('contract', contract, (place) => `contract_id = ${address(place)}`);
  add('input', inputAddress, (place) => `input_address_id = ${address(place)}`);
  add('index', eventIndex, (place) => `event_index = $${place}::int`);
  return { name: names.join('-'), text: parts.join(' AND '), values };
};

/** Events, newest block first, inside a block in their order. */
export const listEvents = async (
  { schema, query }: Snapshot,
  filter: EventFilter,
  page: Page,
): Promise<Part<EventAnswer>> => {
  const [block, order] = page.after ?? [first, 0n];
  const { name, text, values } = conditionsOf(schema, filter);
  const rows = await query<EventRow>(
    name,
    joined(
      schema,
      `SELECT * FROM ${schema}.events WHERE ${text}
         AND block_id <= $1 AND (block_id < $1 OR event_order > $2)
       ORDER BY block_id DESC, event_order LIMIT $3 OFFSET $4`,
    ),
    [block, order, ...bounds(page), ...values],
  );
  const { items, next } = partOf(rows, page, ({ block_id, event_order }) => [block_id, BigInt(event_order)]);
  return { items: items.map(eventOf), next };
};

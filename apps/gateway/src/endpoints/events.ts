import {
  blockHashText,
  contractAddress,
  errorOf,
  groupIndex,
  int32,
  optional,
  required,
  transactionIdText,
} from '@shardnode/http';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { path, query } from '../endpoint/parameters.js';

const mostEntries = 100;
/** Taken itself, which its text does not say (protocol 07 §1.10). */
const lastStart = 2_147_483_547;

interface Range {
  readonly start: number;
  readonly limit?: number | undefined;
}

/** The rules of a range in their order, with their texts (protocol 07 §1.10). */
const rangeRules: readonly { readonly rule: string; readonly holds: (range: Range) => boolean }[] = [
  { rule: '`start` must not be negative', holds: ({ start }) => start >= 0 },
  { rule: '`limit` must be larger than 0', holds: ({ limit = mostEntries }) => limit > 0 },
  { rule: '`limit` must not be larger than 100', holds: ({ limit = mostEntries }) => limit <= mostEntries },
  { rule: '`start` must be smaller than 2147483547', holds: ({ start }) => start <= lastStart },
];

/** Throws `InvalidInterval`. */
const checkRange = (range: Range): void => {
  const broken = rangeRules.find(({ holds }) => !holds(range));
  if (!broken) return;
  const limit = range.limit === undefined ? 'None' : `Some(${range.limit})`;
  throw errorOf(
    'InvalidInterval',
    `Invalid value (expected value to pass validation: ${broken.rule}, but got: CounterRange(${range.start},${limit}))`,
  );
};

const groupQuery = (groups: number) => ({
  group: optional(groupIndex(groups, 'Checked, and otherwise ignored: all groups are searched')),
});
const contractPath = () => path({ contractAddress: required(contractAddress) });

const ofContract = ({ network: { groups }, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/events/contract/{contractAddress}',
      tag: 'Events',
      summary: 'Events of a contract',
      description: 'In pages of entries: an entry holds the events of the contract in one block.',
      params: contractPath(),
      query: query({
        start: required(int32('Number of the first entry, from 0', 0)),
        limit: optional(int32('How many entries at most, 1 to 100; default 100', 100)),
        ...groupQuery(groups),
      }),
      answer: answers.contractEvents,
      codes: ['InvalidInterval'],
    },
    (plan) =>
      plan.here(({ query: { start, limit } }) => {
        checkRange({ start, limit });
        return { events: [], nextStart: start };
      }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/events/contract/{contractAddress}/current-count',
      tag: 'Events',
      summary: 'Number of entries of a contract',
      params: contractPath(),
      answer: answers.eventCount,
      codes: ['ContractNotFound'],
    },
    (plan) =>
      plan.here(({ params: { contractAddress: contract } }) => {
        const resource = `Current events count for contract ${contract.text}`;
        throw errorOf('ContractNotFound', `${resource} not found`, { resource });
      }),
  ),
];

const ofHash = ({ network: { groups }, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/events/tx-id/{txId}',
      tag: 'Events',
      summary: 'Events of a transaction',
      params: path({ txId: required(transactionIdText) }),
      query: query(groupQuery(groups)),
      answer: answers.transactionEvents,
    },
    (plan) => plan.here(() => ({ events: [] })),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/events/block-hash/{blockHash}',
      tag: 'Events',
      summary: 'Events of a block',
      params: path({ blockHash: required(blockHashText) }),
      query: query(groupQuery(groups)),
      answer: answers.blockEvents,
    },
    (plan) => plan.here(() => ({ events: [] })),
  ),
];

/** Protocol 07 §11. There are no contracts yet, and so no events: lists are empty. */
export const eventEndpoints = (edge: Edge): Endpoint[] => [...ofContract(edge), ...ofHash(edge)];

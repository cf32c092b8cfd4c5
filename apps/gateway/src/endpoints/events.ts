import { type ServiceError } from '@shardnode/core/errors';
import {
  blockHashText,
  contractAddress,
  errorOf,
  eventOfBlockForm,
  eventOfContractForm,
  eventOfTransactionForm,
  groupIndex,
  int32,
  optional,
  required,
  transactionIdText,
} from '@shardnode/http';
import { chainOfBlockHash, firstGroup, groupOfScript } from '@shardnode/messages';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { path, query } from '../endpoint/parameters.js';

const mostEntries = 100;
/** Taken itself, which the documented text does not say (protocol 07 §1.10). */
const lastStart = 2_147_483_547;

interface Range {
  readonly start: number;
  readonly limit?: number | undefined;
}

interface RangeRule {
  /** Tells interfaces which rule is broken. */
  readonly rule: string;
  readonly field: keyof Range;
  readonly expects: string;
  readonly holds: (range: Range) => boolean;
}

const startExpects = `from 0 to ${lastStart}`;
const limitExpects = `from 1 to ${mostEntries}`;

/** The rules of a range in their order (protocol 07 §1.10). */
const rangeRules: readonly RangeRule[] = [
  { rule: 'startNegative', field: 'start', expects: startExpects, holds: ({ start }) => start >= 0 },
  { rule: 'limitTooSmall', field: 'limit', expects: limitExpects, holds: ({ limit = mostEntries }) => limit > 0 },
  {
    rule: 'limitTooLarge',
    field: 'limit',
    expects: limitExpects,
    holds: ({ limit = mostEntries }) => limit <= mostEntries,
  },
  { rule: 'startTooLarge', field: 'start', expects: startExpects, holds: ({ start }) => start <= lastStart },
];

/** Throws `InvalidInterval`. */
const checkRange = (range: Range): void => {
  const broken = rangeRules.find(({ holds }) => !holds(range));
  if (!broken) return;
  const { rule, field, expects } = broken;
  const { start, limit } = range;
  throw errorOf('InvalidInterval', `${field} must be ${expects}, but is ${range[field]}`, {
    field,
    rule,
    start,
    ...(limit === undefined ? {} : { limit }),
  });
};

const groupQuery = (groups: number) => ({
  group: optional(groupIndex(groups, 'Checked, and otherwise ignored: all groups are searched')),
});
const contractPath = () => path({ contractAddress: required(contractAddress) });

const noEntries = (contract: string): ServiceError => {
  const resource = `Current events count for contract ${contract}`;
  return errorOf('ContractNotFound', `No events of the contract ${contract} are recorded.`, { resource });
};

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
    () => ({
      kind: 'one group',
      prepare: ({ params: { contractAddress: contract }, query }) => {
        checkRange(query);
        const { start, limit = mostEntries } = query;
        const group = groupOfScript(contract.lockupScript, groups);
        if (group === undefined) return () => ({ events: [], nextStart: start });
        const { contractId } = contract.lockupScript;
        return async (clients) => {
          const page = { contractId, start, limit };
          const { events, nextStart } = await clients.groups.request(group, 'read.events.contract', page);
          return { events: events.map(eventOfContractForm), nextStart };
        };
      },
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
    () => ({
      kind: 'one group',
      prepare: ({ params: { contractAddress: contract } }) => {
        const group = groupOfScript(contract.lockupScript, groups);
        if (group === undefined) throw noEntries(contract.text);
        const { contractId } = contract.lockupScript;
        return async (clients) => {
          const { count } = await clients.groups.request(group, 'read.events.count', { contractId });
          if (count === 0) throw noEntries(contract.text);
          return count;
        };
      },
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
    (plan) =>
      plan.search(async ({ params: { txId } }, clients) => {
        // One group runs the script of a transaction: that of its sender.
        const found = await firstGroup(
          clients.groups,
          'read.events.transaction',
          { txId },
          ({ events }) => events.length > 0,
        );
        return { events: (found?.reply.events ?? []).map(eventOfTransactionForm) };
      }),
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
    (plan) =>
      plan.oneGroup('read.events.block', {
        ask: ({ params: { blockHash: hash } }) => ({ group: chainOfBlockHash(hash, groups).from, payload: { hash } }),
        form: ({ events }) => ({ events: events.map(eventOfBlockForm) }),
      }),
  ),
];

/** Protocol 07 §11. */
export const eventEndpoints = (edge: Edge): Endpoint[] => [...ofContract(edge), ...ofHash(edge)];

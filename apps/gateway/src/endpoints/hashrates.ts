import { averageHashRate } from '@shardnode/protocol/dag';
import { optional, wholeNumber } from '@shardnode/http';
import { allGroups, type GroupClient } from '@shardnode/messages';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { boundedInterval, checkTimespan, intervalQuery } from '../endpoint/interval.js';
import { query } from '../endpoint/parameters.js';

/** Milliseconds. */
const defaultTimeSpan = 600_000;
const perMega = 1_000_000n;

/** Each group knows the work of the chains that start in it. */
const sumOf = (parts: readonly { readonly work: string }[]): bigint =>
  parts.reduce((sum, { work }) => sum + BigInt(work), 0n);

/** The rate over an interval of milliseconds since 1970 (protocol 07 §5). */
const rateOver = async (
  { network }: Edge,
  groups: GroupClient,
  interval: { readonly fromTs: number; readonly toTs: number },
): Promise<{ readonly hashrate: string }> => {
  const work = sumOf(await allGroups(groups, 'read.chain.work', interval));
  const rate = averageHashRate(network, work, BigInt(interval.fromTs), BigInt(interval.toTs));
  return { hashrate: `${rate / perMega} MH/s` };
};

const hashRates = (edge: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/infos/history-hashrate',
      tag: 'Infos',
      summary: 'Average hash rate of an interval',
      query: intervalQuery(),
      answer: edge.answers.averageHashrate,
      codes: ['InvalidInterval'],
    },
    (plan) => plan.search(({ query: given }, { groups }) => rateOver(edge, groups, boundedInterval(edge, given))),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/infos/current-hashrate',
      tag: 'Infos',
      summary: 'Average hash rate of the time until now',
      query: query({
        timespan: optional(
          wholeNumber(1, Number.MAX_SAFE_INTEGER, 'Milliseconds until now, at most 1800000; default 600000', 600_000),
          { 'x-unit': 'ms' },
        ),
      }),
      answer: edge.answers.averageHashrate,
      codes: ['InvalidInterval'],
    },
    (plan) =>
      plan.search(({ query: { timespan = defaultTimeSpan } }, { groups }) => {
        checkTimespan(timespan);
        const now = edge.clock.now();
        return rateOver(edge, groups, { fromTs: Math.max(0, now - timespan), toTs: now });
      }),
  ),
];

const difficulty = ({ network, answers }: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/infos/current-difficulty',
      tag: 'Infos',
      summary: 'Mean difficulty of the chains',
      answer: answers.difficulty,
    },
    (plan) =>
      plan.everyGroup('read.chain.difficulty', {
        payload: () => ({}),
        merge: (parts) => ({ difficulty: (sumOf(parts) / BigInt(network.groups ** 2)).toString() }),
      }),
  );

/** Protocol 07 §5. */
export const hashRateEndpoints = (edge: Edge): Endpoint[] => [...hashRates(edge), difficulty(edge)];

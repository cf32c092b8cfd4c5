import { type z } from 'zod';
import { required } from '@shardnode/http';
import { intervalTypes } from '../blocks/buckets.js';
import { type ChartInterval } from '../reads/chart-reads.js';
import { type SpanLimits } from '../settings.js';
import { checkInterval, checkSpan, choice, parametersOf, paymentsParameter, timestamp } from './parameters.js';

/** Examples of a span that every bucket allows. */
const example = { from: 1_735_516_800_000, to: 1_735_603_200_000 };

const chartParameters = {
  fromTs: required(timestamp, { description: 'First millisecond', example: example.from }),
  toTs: required(timestamp, { description: 'Last millisecond', example: example.to }),
  'interval-type': required(choice(intervalTypes, 'Length of the buckets', 'daily')),
};
export const ChartQuery = parametersOf(chartParameters);
export const CountsQuery = parametersOf({ ...chartParameters, ...paymentsParameter('those that are no block reward') });

/** @throws ServiceError `InvalidRequest` unless the interval goes forward and is at most as long as `limits` says */
export const chartIntervalOf = (
  { fromTs: from, toTs: to, 'interval-type': type }: z.output<typeof ChartQuery>,
  limits: SpanLimits,
): ChartInterval => {
  checkInterval(from, to);
  checkSpan(from, to, limits[type]);
  return { from, to, type };
};

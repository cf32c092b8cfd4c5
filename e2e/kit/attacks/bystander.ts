import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '@shardnode/testing/statistics';
import { apiClient } from '../api-client.js';
import { metricSum } from '../cluster/metrics.js';
import { type Network } from '../network.js';

/** What another client noticed of an attack. */
export interface Effect {
  /** Milliseconds until its response. */
  readonly median: number;
  readonly p99: number;
  readonly slowest: number;
  /** Responses other than 200, and connections that broke. */
  readonly failed: readonly string[];
  /** Megabytes that the process took more than before, at most. */
  readonly growth: number;
}

/** Milliseconds between two requests of the bystander. */
const everyMs = 20;

/** Resident memory of the process of the gateway, in megabytes. */
export const residentMegabytes = async (network: Network): Promise<number> => {
  const { text } = await network.api.send('GET', '/metrics');
  const bytes = metricSum(text, 'process_resident_memory_bytes');
  // Without the metric nothing would ever grow.
  if (!(bytes > 0)) throw new Error('the gateway reports no process_resident_memory_bytes');
  return bytes / 2 ** 20;
};

/** Another client reads a balance every 20 ms while `attack` runs: how it fared, and what the process took. */
export const besideAttack = async (network: Network, name: string, attack: () => Promise<unknown>): Promise<Effect> => {
  const api = apiClient(() => network.deployment.baseUrl, 1);
  const path = `/addresses/${network.funded[0]!.address}/balance`;
  await api.send('GET', path);
  const before = await residentMegabytes(network);
  let highest = before;
  const latencies: number[] = [];
  const failed: string[] = [];
  let isOver = false;
  const watching = (async () => {
    for (let round = 0; !isOver || round === 0; round++) {
      const began = performance.now();
      const answer = await api.send('GET', path, { timeoutMs: 120_000 }).catch((error: unknown) => error as Error);
      latencies.push(performance.now() - began);
      if (answer instanceof Error) failed.push(answer.message);
      else if (answer.status !== 200) failed.push(`${answer.status} ${answer.text}`);
      if (round % 10 === 0) highest = Math.max(highest, await residentMegabytes(network));
      await pause(everyMs);
    }
  })();
  try {
    await attack();
  } finally {
    isOver = true;
    await watching;
    api.close();
  }
  const effect = {
    median: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    slowest: Math.max(...latencies),
    failed,
    growth: highest - before,
  };
  console.log(
    `${name}: another client waited ${effect.median.toFixed(0)} ms (median), ${effect.p99.toFixed(0)} ms (p99), ` +
      `${effect.slowest.toFixed(0)} ms (slowest); memory ${effect.growth >= 0 ? '+' : ''}${effect.growth.toFixed(0)} MB`,
  );
  return effect;
};

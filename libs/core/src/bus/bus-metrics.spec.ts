import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { busMetrics } from './bus-metrics.js';

it('a member of the bus counts requests, refusals and drops, and shows its connection', async () => {
  const registry = new Registry();
  const observer = busMetrics(registry);
  observer.connectionChanged(true);
  observer.requestEnded('coin.rpc.group.1.read.chain.info', 'ok', 0.002);
  observer.messageRefused('read.chain.info', 'undecodable');
  observer.publishDropped('disconnected');
  observer.publishDropped('disconnected');
  observer.connectionChanged(false);
  observer.connectionChanged(true);
  observer.reconnected();
  const text = await registry.metrics();
  for (const line of [
    'bus_request_duration_seconds_count{subject="rpc.group.1.read.chain.info",outcome="ok"} 1',
    'bus_messages_refused_total{subject="read.chain.info",reason="undecodable"} 1',
    'bus_publishes_dropped_total{reason="disconnected"} 2',
    'bus_reconnects_total 1',
    'bus_connected 1',
  ]) {
    expect(text).toContain(line);
  }
});

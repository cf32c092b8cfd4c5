import { Counter, Gauge, type Registry } from 'prom-client';
import { PreparedHistogram, type Recorder } from '../observability/index.js';
import { type BusObserver } from './bus.js';

/**
 * Metrics of a member of the bus: requests sent, by subject without namespace and by outcome (`ok` or the error's
 * kind); messages refused; events dropped; the connection.
 */
export const busMetrics = (registry: Registry): Required<BusObserver> => {
  const registers = [registry];
  const duration = new PreparedHistogram({
    name: 'bus_request_duration_seconds',
    help: 'Time from request to response or error',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    labelNames: ['subject', 'outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'bus_messages_refused_total',
    help: 'Messages received and refused before their handler',
    labelNames: ['subject', 'reason'],
    registers,
  });
  const dropped = new Counter({
    name: 'bus_publishes_dropped_total',
    help: 'Events dropped because they could not be sent',
    labelNames: ['reason'],
    registers,
  });
  const reconnects = new Counter({ name: 'bus_reconnects_total', help: 'Reconnections', registers });
  const connected = new Gauge({ name: 'bus_connected', help: '1 while the bus can be reached', registers });
  const recorders = new Map<string, Map<string, Recorder>>();
  return {
    // Subjects come from the tables of messages, so the number of label values is bounded.
    requestEnded: (subject, outcome, seconds) => {
      let byOutcome = recorders.get(subject);
      if (!byOutcome) recorders.set(subject, (byOutcome = new Map()));
      let recorder = byOutcome.get(outcome);
      if (!recorder) {
        recorder = duration.of({ subject: subject.slice(subject.indexOf('.') + 1), outcome });
        byOutcome.set(outcome, recorder);
      }
      recorder.observe(seconds);
    },
    messageRefused: (pattern, reason) => refused.inc({ subject: pattern, reason }),
    publishDropped: (reason) => dropped.inc({ reason }),
    connectionChanged: (isConnected) => connected.set(isConnected ? 1 : 0),
    reconnected: () => reconnects.inc(),
  };
};

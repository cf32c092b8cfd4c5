import { Histogram, type Registry } from 'prom-client';
import { type BusObserver } from './bus.js';

/** Duration of the requests that a service makes, by subject without its namespace, and by outcome (`ok` or the error's kind). */
export const busMetrics = (registry: Registry): BusObserver => {
  const duration = new Histogram({
    name: 'bus_request_duration_seconds',
    help: 'Time from asking to the answer, or to the error',
    labelNames: ['subject', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  return {
    requestEnded: (subject, outcome, seconds) =>
      duration.observe({ subject: subject.slice(subject.indexOf('.') + 1), outcome }, seconds),
  };
};

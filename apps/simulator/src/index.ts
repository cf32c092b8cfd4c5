export * from './memory-store/index.js';
export { type LatencyOptions, type LatencyReport, simulateLatency } from './latency.js';
export { simulate, type SimulationOptions, type SimulationReport } from './simulate.js';

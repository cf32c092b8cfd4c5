/** Random programs for the machine, and their invariants. */
export * from './fuzz-programs.js';
export * from './fuzz-runs.js';
export * from './fuzz-world.js';
export * from './fuzz-campaign.js';
export * from './signed-samples.js';

export const RUNS = Symbol('runs of contracts');

import { isDeepStrictEqual } from 'node:util';
import { stateHash } from '@shardnode/protocol/state';
import { type ContractForm, type RunVector, type RunVectors } from './run-vectors.js';
import { worldWith } from './run-world.js';
import { type RunReport, runVector } from './vector-run.js';

/** A run that does not give what its vector says. */
export interface RunDifference {
  readonly vector: RunVector;
  readonly run: string;
  readonly expected: RunReport;
  readonly got: RunReport;
}

/** A vector that names no roots leaves the state as it was. */
const unchangedRoots = (contracts: readonly ContractForm[]): RunReport => {
  const { state } = worldWith(contracts);
  return { outputRoot: state.outputRoot, contractRoot: state.contractRoot, stateHash: stateHash(state) };
};

const expectationOf = ({ kind, contracts, expect }: RunVector): RunReport =>
  kind === 'unlock' || expect.gasUsed === undefined || expect.stateHash !== undefined
    ? expect
    : { ...expect, ...unchangedRoots(contracts ?? []) };

/** Texts that the vector leaves out are not compared, nor is the order of the contracts that events are listed by. */
const comparable = (report: RunReport, expected: RunReport): RunReport => {
  const { text, events, ...rest } = report;
  return {
    ...rest,
    ...(expected.text === undefined ? {} : { text }),
    ...(events
      ? { events: [...events].sort((a, b) => (a.contractId < b.contractId ? -1 : +(a.contractId > b.contractId))) }
      : {}),
  };
};

/** The runs with exactly the gas that is needed and with one less, as the conventions of the vectors say. */
const runsAtTheLimit = (
  vector: RunVector,
  expected: RunReport,
  defaults: RunVectors['defaults'],
): [string, RunReport, RunReport][] => {
  const { gasUsed } = expected;
  if (!gasUsed) return [];
  const { failure, aborted } = runVector(vector, defaults, gasUsed - 1);
  return [
    ['exactly the gas', expected, runVector(vector, defaults, gasUsed)],
    ['one gas less', { failure: 'OutOfGas' }, { ...(failure ? { failure } : {}), ...(aborted ? { aborted } : {}) }],
  ];
};

/** Every difference between the vectors and the machine; at the limit, each vector that succeeds runs three times. */
export const runDifferences = (
  vectors: readonly RunVector[],
  defaults: RunVectors['defaults'],
  { atTheLimit = true } = {},
): RunDifference[] =>
  vectors.flatMap((vector) => {
    const wanted = expectationOf(vector);
    const runs: [string, RunReport, RunReport][] = [
      ['as given', wanted, runVector(vector, defaults)],
      ...(atTheLimit ? runsAtTheLimit(vector, wanted, defaults) : []),
    ];
    return runs
      .map(([run, expected, got]) => ({
        vector,
        run,
        expected: comparable(expected, expected),
        got: comparable(got, expected),
      }))
      .filter(({ expected, got }) => !isDeepStrictEqual(expected, got));
  });

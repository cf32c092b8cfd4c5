import { describe, expect, it } from '@jest/globals';
import { type ContractScenario, contractScenarios, expectScenario } from '@shardnode/testing/contract-scenarios';
import { readVectorBytes, readVectors } from '@shardnode/testing/vectors';
import { compileProject } from '../index.js';

interface Cases {
  readonly cases: readonly { readonly source_file: string }[];
}

const ofScenarios = [
  ...new Set(
    readVectors<Cases>('compiler/expected.json')
      .cases.map(({ source_file: file }) => file)
      .filter((file) => file.includes('_scenario_')),
  ),
];

type Code = ContractScenario['codes'][string];

/** Codes of the contracts of the scenarios as the compiler makes them, by hash. */
const compiled = new Map<string, Code>(
  ofScenarios.flatMap((file) =>
    compileProject(new TextDecoder().decode(readVectorBytes(`compiler/${file}`))).contracts.map(
      ({ bytecode, codeHash }) => [codeHash, { bytecode, codeHash }] as const,
    ),
  ),
);

/** The scenario with codes of the compiler; undefined where its contracts come from no source of the vectors. */
const withCompiledCodes = (scenario: ContractScenario): ContractScenario | undefined => {
  const codes = Object.entries(scenario.codes).map(([name, { codeHash }]) => [name, compiled.get(codeHash)] as const);
  if (codes.length === 0 || codes.some(([, code]) => code === undefined)) return undefined;
  return { ...scenario, codes: Object.fromEntries(codes) as ContractScenario['codes'] };
};

describe('what the compiler makes runs', () => {
  const scenarios = contractScenarios('contract-scenarios.json')
    .map(withCompiledCodes)
    .filter((scenario) => scenario !== undefined);

  it('every source of a scenario is run', () => {
    const run = new Set(scenarios.flatMap(({ codes }) => Object.values(codes).map(({ codeHash }) => codeHash)));
    expect([ofScenarios.length, [...compiled.keys()].filter((hash) => !run.has(hash))]).toEqual([20, []]);
  });

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
    expectScenario(scenario);
    expect.hasAssertions();
  });
});

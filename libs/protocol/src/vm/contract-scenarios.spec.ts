import { describe, expect, it } from '@jest/globals';
import { contractScenarios, expectScenario } from '@shardnode/testing/contract-scenarios';

describe.each(['contract-scenarios.json', 'contract-scenarios-2.json'])('%s', (file) => {
  it.each(contractScenarios(file).map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
    expectScenario(scenario);
    expect.hasAssertions();
  });
});

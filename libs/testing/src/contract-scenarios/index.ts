export { type ContractScenario, contractScenarios, expectScenario } from './contract-scenarios.js';

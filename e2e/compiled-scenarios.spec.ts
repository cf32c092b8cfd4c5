import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parseAddress } from '@shardnode/protocol/address';
import { minimalGas, oneCoin } from '@shardnode/protocol/primitives';
import { type AssetOutput, type Output } from '@shardnode/protocol/transaction';
import { type ContractScenario, contractScenarios } from '@shardnode/testing/contract-scenarios';
import { type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { readVectorBytes, readVectors } from '@shardnode/testing/vectors';
import { RecordedNames } from './kit/contracts/recorded-names.js';
import { generatedOutputs, type ScenarioBlock, type ScenarioTransaction } from './kit/contracts/scenario-forms.js';
import { ScenarioOnNetwork } from './kit/contracts/scenario-network.js';
import { describeNetwork } from './kit/deployment-under-test.js';
import { contractIdOf, deployContract } from './kit/faucet.js';
import { type Network, startNetwork } from './kit/network.js';

type Code = ContractScenario['codes'][string];
interface Cases {
  readonly cases: readonly {
    readonly source_file: string;
    readonly result: { readonly contracts?: readonly { readonly codeHash: string }[] };
  }[];
}

/** Sources of the vectors that declare the contracts of scenarios. */
const sources = readVectors<Cases>('compiler/expected.json').cases.filter(({ source_file: file }) =>
  file.includes('_scenario_'),
);
const codeHashes = new Set(sources.flatMap(({ result }) => (result.contracts ?? []).map(({ codeHash }) => codeHash)));

/** Those whose contracts all have a source. */
const scenarios = contractScenarios('contract-scenarios.json').filter(({ codes }) => {
  const hashes = Object.values(codes).map(({ codeHash }) => codeHash);
  return hashes.length > 0 && hashes.every((hash) => codeHashes.has(hash));
});

/** Addresses of keys in the scenarios, and keys of the same groups; tokens that the scenarios just have. */
const recordedKeys = Object.values(
  readVectors<{ readonly addresses: Readonly<Record<string, string>> }>('contract-scenarios.json').addresses,
);
const owners: readonly TestKey[] = [...testKeysOfGroup(0, 3), ...testKeysOfGroup(1, 1)];
const recordedTokens = ['77'.repeat(32), 'e8'.repeat(32)];
const tokenSource = 'Contract Token() { pub fn one() -> U256 { return 1 } }';

const isLocked = (output: Output): output is AssetOutput => output.kind === 'asset' && output.lockTime > 0n;
const locksOutputs = (form: ScenarioTransaction): boolean =>
  form.result === 'InvalidLockTime' || generatedOutputs(form).some(isLocked);

/** Their scripts lock coins; one locks tokens besides, and the contract does not. */
const locker = scenarios.find(({ name }) => name === 'locked outputs')!;
const lockerHash = locker.codes['Locker']!.codeHash;
const lockingTransactions = locker.blocks.flatMap(({ timestamp, txs }) =>
  txs.filter(({ note }) => note !== 'coin and token').map((form) => [form.note, form, timestamp] as const),
);

/** Why a client cannot make a transaction of it; the first that applies. */
const obstacles: readonly (readonly [string, (form: ScenarioTransaction, block: ScenarioBlock) => boolean])[] = [
  ['less gas than a transaction must have', ({ gasLimit }) => gasLimit < minimalGas],
  ['signatures for the script, which no operation takes', ({ scriptSignatures = [] }) => scriptSignatures.length > 0],
  ['no block', (_, { blockHash }) => blockHash === null],
  ['an exact time of the block', locksOutputs],
];

/** Scenarios hold scripts only, so rules of transactions refuse these without running theirs. */
const refused = (code: string): string => `refused before its script runs: ${code}`;

/**
 * How the transactions of all scenarios ended. Of those with an exact time three run in the last test; the others that do not
 * run here run on the machine alone (`compiled-scenarios.spec.ts` of `libs/compiler`).
 */
const expectedEnds: Readonly<Record<string, number>> = {
  success: 107,
  failure: 53,
  'an exact time of the block': 4,
  'less gas than a transaction must have': 3,
  'signatures for the script, which no operation takes': 3,
  'no block': 1,
  // Pay to another group.
  [refused('InvalidOutputGroupIndex')]: 1,
  [refused('ContractInputForInterGroupTx')]: 1,
  // The fee of a failed script is not covered; the fee takes the whole input.
  [refused('InvalidRemainingBalancesForFailedScriptTx')]: 1,
  [refused('NoOutputs')]: 1,
};

describeNetwork('contracts that the node compiles, in the recorded scenarios', () => {
  let network: Network;
  const compiled = new Map<string, Code>();
  const names = new RecordedNames();
  const ends = new Map<string, number>();
  const count = (end: string): unknown => ends.set(end, (ends.get(end) ?? 0) + 1);

  const issueToken = async (bytecode: string): Promise<string> => {
    const funder = network.funded[0]!;
    const { address } = await deployContract(network.api, funder, {
      bytecode: `${bytecode}0000`,
      issueTokenAmount: String(10n ** 12n),
      issueTokenTo: funder.address,
    });
    return contractIdOf(address);
  };

  beforeAll(async () => {
    network = await startNetwork();
    const { api } = network;
    for (const { source_file: file } of sources) {
      const code = new TextDecoder().decode(readVectorBytes(`compiler/${file}`));
      const { contracts } = await api.post<{ contracts: readonly Code[] }>('/contracts/compile-project', { code });
      for (const { bytecode, codeHash } of contracts) compiled.set(codeHash, { bytecode, codeHash });
    }
    recordedKeys.forEach((address, index) => names.key(parseAddress(address)!, owners[index]!.lockupScript));
    const { bytecode } = await api.post<Code>('/contracts/compile-contract', { code: tokenSource });
    for (const token of recordedTokens) names.contract(token, await issueToken(bytecode));
  });
  afterAll(() => network?.remove());

  const opened = async (scenario: ContractScenario): Promise<ScenarioOnNetwork> => {
    const codes = Object.entries(scenario.codes).map(
      ([name, { codeHash }]) => [name, compiled.get(codeHash)!] as const,
    );
    const accounts = { funder: network.funded[0]!, owners: new Map(owners.map((key) => [key.address, key])) };
    const withCodes = { ...scenario, codes: Object.fromEntries(codes) };
    const run = new ScenarioOnNetwork(network.api, withCodes, new RecordedNames(names), accounts);
    await run.prepare();
    return run;
  };

  /** Whether it had its recorded effects, if any. */
  const submitted = async (
    run: ScenarioOnNetwork,
    form: ScenarioTransaction,
    block: ScenarioBlock,
  ): Promise<boolean> => {
    const obstacle = obstacles.find(([, applies]) => applies(form, block));
    if (obstacle) {
      count(obstacle[0]);
      return form.result !== 'success';
    }
    const end = await run.run(form);
    if ('effects' in end) {
      count('success');
      expect([form.note, form.result, end.effects]).toEqual([form.note, 'success', run.expectedEffects(form)]);
      return true;
    }
    const { headers, text } = end.refused;
    if (headers['x-failure'] === undefined) {
      count(refused(String(headers['x-error-code'])));
      return form.result !== 'success';
    }
    count('failure');
    expect([form.note, headers['x-failure']]).toEqual([form.note, form.result]);
    // The node has compiled each contract, so it names what failed in one.
    expect(headers['x-failed-function'] === undefined).toBe(headers['x-failed-contract'] === undefined);
    const { detail } = JSON.parse(text) as { readonly detail: string };
    for (const part of run.expectedReason(form)) expect(detail).toContain(part);
    return true;
  };

  it('are all in a scenario', () => {
    const run = new Set(scenarios.flatMap(({ codes }) => Object.values(codes).map(({ codeHash }) => codeHash)));
    expect([sources.length, [...codeHashes].filter((hash) => !run.has(hash)), [...compiled.keys()].sort()]).toEqual([
      20,
      [],
      [...codeHashes].sort(),
    ]);
  });

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
    const run = await opened(scenario);
    for (const block of scenario.blocks) {
      let isAsRecorded = true;
      for (const form of block.txs) isAsRecorded = (await submitted(run, form, block)) && isAsRecorded;
      if (!isAsRecorded) continue;
      const expected = run.expectedContracts(block);
      expect(await Promise.all(expected.map(({ address }) => run.contractAt(address)))).toEqual(expected);
    }
  });

  it('have the recorded results in transactions, and the others are counted by the reason', () => {
    expect(Object.fromEntries(ends)).toEqual(expectedEnds);
  });

  /** Scripts of `locked outputs` lock coins as the method of its contract does, whose time is a field. */
  it.each(lockingTransactions)('lock outputs until a time after that of the block: %s', async (_, form, timestamp) => {
    const lock = generatedOutputs(form).find(isLocked);
    const [owner] = owners;
    const sent = {
      bytecode: compiled.get(lockerHash)!.bytecode,
      blockTimeStamp: timestamp,
      initialImmFields: [{ type: 'U256', value: String(lock?.lockTime ?? timestamp) }],
      args: [
        { type: 'Address', value: owner!.address },
        { type: 'U256', value: String(lock?.amount ?? oneCoin) },
      ],
      inputAssets: [{ address: owner!.address, asset: { attoCoinAmount: String(10n * oneCoin) } }],
    };
    const { status, text, headers } = await network.api.send('POST', '/contracts/test-contract', { body: sent });
    if (!lock) {
      expect([status, headers['x-failure'], headers['x-failed-function']]).toEqual([400, form.result, 'Locker.lock']);
      expect(text).toContain(form.text);
      return;
    }
    expect(status).toBe(200);
    const { txOutputs } = JSON.parse(text) as { readonly txOutputs: readonly unknown[] };
    const expected = { address: owner!.address, attoCoinAmount: String(lock.amount), lockTime: Number(lock.lockTime) };
    expect(txOutputs).toContainEqual(expect.objectContaining(expected));
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { sourceExamples } from '../src/contracts/compiling/source-examples.js';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const compiled = (operation: string, network: FakeNetwork, body: unknown) =>
  network.send('POST', `/contracts/compile-${operation}`, body);

describe('compiling over HTTP', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ reportedVersion: 'v3.1.4', brand: { coinName: 'Alpha', coinSymbol: 'ALPHA' } });
  });
  afterAll(() => network.stop());

  it('answers a contract with its keys in the documented order', async () => {
    const { status, body, headers } = await compiled('contract', network, { code: sourceExamples.contract });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(body).toMatchObject({ version: 'v3.1.4', name: 'Counter' });
    expect(Object.keys(body as object)).toEqual([
      'version',
      'name',
      'bytecode',
      'bytecodeDebugPatch',
      'codeHash',
      'codeHashDebug',
      'fields',
      'functions',
      'constants',
      'enums',
      'events',
      'warnings',
    ]);
  });

  it('answers a script with its keys in the documented order', async () => {
    const { body } = await compiled('script', network, { code: sourceExamples.script });
    expect(body.name).toBe('Add');
    expect(Object.keys(body as object)).toEqual([
      'version',
      'name',
      'bytecodeTemplate',
      'bytecodeDebugPatch',
      'fields',
      'functions',
      'warnings',
    ]);
  });

  it('answers a project with all that it holds, each with the version', async () => {
    const code = `${sourceExamples.project}\nstruct Pair { first: U256, second: U256 }`;
    const { body } = await compiled('project', network, { code });
    expect(Object.keys(body as object)).toEqual(['contracts', 'scripts', 'structs']);
    for (const one of [...body.contracts, ...body.scripts])
      expect(Object.entries(one as object)[0]).toEqual(['version', 'v3.1.4']);
    const without = await compiled('project', network, { code: sourceExamples.project });
    expect(Object.keys(without.body as object)).toEqual(['contracts', 'scripts']);
  });

  it('leaves out the warnings that the options name', async () => {
    const code = 'Contract Foo(unused: U256) { pub fn bar() -> () { let x = 1 } }';
    const warned = await compiled('contract', network, { code });
    expect(warned.body.warnings).toEqual([
      'Found unused variables in Foo: bar.x',
      'Found unused fields in Foo: unused',
    ]);
    const quiet = await compiled('contract', network, {
      code,
      compilerOptions: { ignoreUnusedVariablesWarnings: true, ignoreUnusedFieldsWarnings: null },
    });
    expect(quiet.body).toEqual({ ...warned.body, warnings: ['Found unused fields in Foo: unused'] });
  });

  it('gives a hint below the text of an error, and warns of an inherited function once', async () => {
    const reference = await startFakeNetwork({ profile: 'reference' });
    try {
      const wrong = { code: 'Contract Foo() { pub fn bar() -> () { assert(true, 0) } }' };
      const [own, bare] = [await compiled('contract', network, wrong), await compiled('contract', reference, wrong)];
      expect(bare.body.detail).toMatch(/Function assert does not exist\n$/);
      expect(own.body.detail).toBe(
        `${bare.body.detail}  = hint: The names of built-in functions end with \`!\`: write \`assert!\`.\n`,
      );
      const children = ['A', 'B'].map((name) => `Contract ${name}() extends P() { pub fn f() -> () { return } }`);
      const parent = 'Abstract Contract P() { fn g() -> () { return } }';
      const sent = { code: [parent, ...children].join('\n') };
      const warnings = async (node: FakeNetwork, more: object): Promise<unknown> => {
        const { body } = await compiled('project', node, { ...sent, ...more });
        return body.contracts.map((each: { readonly warnings: unknown }) => each.warnings);
      };
      expect(await warnings(network, {})).toEqual([['Private function "P.g" is not used'], []]);
      // Unknown options, too, are as before for existing clients.
      expect(await warnings(reference, { compilerOptions: { other: 7 } })).toEqual([
        ['Private function "A.g" is not used'],
        ['Private function "B.g" is not used'],
      ]);
    } finally {
      await reference.stop();
    }
  });

  it('quotes the source in errors as it was sent, names of the brand and all', async () => {
    const code = 'Contract Foo() { pub fn bar() -> () { let Pair{coin} = attoCoinAmount } }';
    const { status, body, headers } = await compiled('contract', network, { code });
    expect([status, headers.get('x-error-code'), headers.get('x-error-field')]).toEqual([400, 'CompileError', 'code']);
    expect(body.detail).toContain(`1 |${code}\n`);
  });

  it('names function and error code of a contract that fails, by its code hash', async () => {
    const { body } = await compiled('contract', network, { code: sourceExamples.contract });
    network.groups['read.contract.test'] = ({ methodIndex }) => {
      throw new ServiceError('refused', 'ContractTestFailed', 'The method fails', {
        failedCode: body.codeHashDebug as string,
        failedMethod: methodIndex,
        assertionCode: '0',
      });
    };
    const tested = async (methodIndex: number) => {
      const { headers } = await network.send('POST', '/contracts/test-contract', {
        bytecode: body.bytecode,
        methodIndex,
      });
      return [headers.get('x-failed-function'), headers.get('x-assertion-name'), headers.get('x-assertion-code')];
    };
    expect(await tested(0)).toEqual(['Counter.add', 'CounterError.TooMany', '0']);
    expect(await tested(1)).toEqual(['Counter.read', 'CounterError.TooMany', '0']);
    expect(await tested(9)).toEqual([null, 'CounterError.TooMany', '0']);
    const other = await network.addGateway();
    const { headers } = await other.send('POST', '/contracts/test-contract', { bytecode: body.bytecode });
    expect([headers.get('x-failed-function'), headers.get('x-assertion-code')]).toEqual([null, '0']);
    await other.stop();
  });

  it('names them in the headers of a failed call, whose status is 200, and of no other call', async () => {
    const { body } = await compiled('contract', network, { code: sourceExamples.contract });
    const failedContract = 'wJuUAFXvUUqaJi5XHthjRvFyU2LFtN8LLanAKFXbcdK5';
    const ran = {
      failure: 'AssertionFailedWithErrorCode',
      failedContract,
      failedInstruction: 'AssertWithErrorCode, method 0, instruction 4',
      failedCode: body.codeHash as string,
      failedMethod: 0,
      assertionCode: '0',
    };
    const facts = [ran, { contractId: 'ab'.repeat(32) }];
    network.groups['read.contract.call'] = ({ calls }) => ({
      results: calls.map(({ methodIndex }) => ({
        type: 'CallContractFailed',
        error: 'no',
        code: 'ContractTestFailed',
        facts: facts[methodIndex]!,
      })),
    });
    const headersOfCall = async (methodIndex: number) => {
      const call = { group: 0, address: failedContract, methodIndex };
      const { status, headers } = await network.send('POST', '/contracts/call-contract', call);
      expect(status).toBe(200);
      const names = ['failure', 'failed-contract', 'failed-instruction', 'assertion-code', 'assertion-name'];
      return [...names, 'failed-function', 'error-code'].map((name) => headers.get(`x-${name}`));
    };
    expect(await headersOfCall(0)).toEqual([
      ...[ran.failure, failedContract, ran.failedInstruction, '0', 'CounterError.TooMany', 'Counter.add'],
      null,
    ]);
    expect(new Set(await headersOfCall(1))).toEqual(new Set([null]));
  });

  it.each([
    [
      { code: 'x'.repeat(300_000) },
      'Invalid value for: body (code: has 300000 characters, at most 262144 are allowed)',
    ],
    [{}, 'Invalid value for: body (code: is missing, expected a text)'],
    [{ code: 7 }, 'Invalid value for: body (code: expected a text, received 7)'],
    [
      { code: '', compilerOptions: { ignoreUnusedWarnings: true } },
      'Invalid value for: body (compilerOptions.ignoreUnusedWarnings: is no option of the compiler, which has ignoreUnusedConstantsWarnings, ignoreUnusedVariablesWarnings, ignoreUnusedFieldsWarnings, ignoreUnusedPrivateFunctionsWarnings, ignoreUpdateFieldsCheckWarnings, ignoreCheckExternalCallerWarnings)',
    ],
    [
      { code: '', compilerOptions: { ignoreUnusedFieldsWarnings: 'perhaps' } },
      'Invalid value for: body (compilerOptions.ignoreUnusedFieldsWarnings: expected true or false, received "perhaps")',
    ],
  ])('%# refuses what is no source', async (sent, detail) => {
    for (const operation of ['script', 'contract', 'project']) {
      const { status, body, headers } = await compiled(operation, network, sent);
      expect([status, body, headers.get('x-error-code')]).toEqual([400, { detail }, 'InvalidRequest']);
    }
  });
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { developmentValues, errorCodes, statusOfCode, type ErrorCode } from '@shardnode/http';
import { parseAddress } from '@shardnode/protocol/address';
import { readVectors } from '@shardnode/testing/vectors';
import { apiProfiles } from '../src/settings/api-settings.js';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

/** Names of parameters in a path differ between the index and the sections of 07. */
const shapeOf = (endpoint: string): string => endpoint.replaceAll(/\{\w+\}/g, '{}');

const specification = readFileSync(new URL('../../../docs/protocol/07-http-api.md', import.meta.url), 'utf8');
/** `METHOD /path` of each row of the index of endpoints (protocol 07, Appendix E). */
const indexed = [...specification.split('## Appendix E')[1]!.matchAll(/^\| (GET|POST|PUT|DELETE) \| (\/[^ |]*) \|/gm)]
  .map(([, method, path]) => `${method} ${path}`)
  .map(shapeOf);

/** Not JSON; internal and optional (it writes files on request); the page itself. */
const notDescribed = ['GET /metrics', 'POST /export-blocks', 'GET /docs,'];
const served = indexed.filter((row) => !notDescribed.includes(row));

/** Numbers that count nothing with a unit: indexes, counts of things, versions, ports. */
const unitless = new Set([
  'chainFrom',
  'chainTo',
  'fromGroup',
  'toGroup',
  'group',
  'hint',
  'txIndex',
  'version',
  'networkId',
  'groups',
  'groupNumPerBroker',
  'groupNum',
  'brokerId',
  'brokerNum',
  'numZerosAtLeastInHash',
  'port',
  'restPort',
  'wsPort',
  'minerApiPort',
  'utxoNum',
  'mnemonicSize',
  'mrequired',
  'offset',
  'limit',
  'utxosLimit',
  'start',
  'nextStart',
  'difficulty',
  'eventIndex',
  'methodIndex',
  'GET /events/contract/{contractAddress}/current-count',
]);
/** Amounts of a token, whose smallest unit only its makers know, and what contracts count. */
const tokenAmounts = new Set([
  'Token.amount',
  'TokenAmount.amount',
  'Penalty.value',
  'ValU256.value',
  'ValToSend.value',
]);

/** Requests for what a fresh development network does not have: an uncle, a transaction that waits. */
const withoutExample = [
  'GET /blockflow/main-chain-block-by-ghost-uncle/{ghost_uncle_hash}',
  'PUT /mempool/transactions/rebroadcast',
];

interface Example {
  /** Of the field, parameter or header; of an item of a list, that of the list. */
  readonly name: string;
  readonly value: unknown;
}

/** The values in an example, by the names of their fields. */
const valuesOf = (value: Json, name: string): Example[] => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, name));
  if (typeof value !== 'object' || value === null) return [{ name, value }];
  return Object.entries<Json>(value).flatMap(([key, inner]) => valuesOf(inner, key));
};

/** Names that stand around a schema, not for what it describes. */
const around = ['schema', 'items', 'example', 'application/json', 'oneOf', 'anyOf', 'allOf'];

/** Every example of a description, of schemas, parameters, headers and bodies. */
const examplesOf = (value: Json, name = ''): Example[] => {
  if (Array.isArray(value)) return value.flatMap((item) => examplesOf(item, name));
  if (typeof value !== 'object' || value === null) return [];
  const own = typeof value.name === 'string' && value.in !== undefined ? (value.name as string) : name;
  return Object.entries<Json>(value).flatMap(([key, inner]) => {
    if (key === 'example') return valuesOf(inner, own);
    return examplesOf(inner, around.includes(key) || /^\d+$/.test(key) ? own : key);
  });
};

const isAddressOrPeer = (text: string): boolean => parseAddress(text) !== undefined || /^(\d+\.){3}\d+$/.test(text);

const resolve = (reference: string, document: Json): Json =>
  reference
    .slice(2)
    .split('/')
    .reduce((inner, name) => inner[name], document);

/** Every `$ref` of a description. */
const references = (value: Json): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => (name === '$ref' ? [String(inner)] : references(inner)));

interface Leaf {
  /** `Balance.balance` */
  readonly where: string;
  readonly schema: Json;
}

/** Everything in a schema that is no object, list, union or reference. */
const leavesOf = (schema: Json, where: string): Leaf[] => {
  if (schema.$ref) return [];
  const parts = schema.anyOf ?? schema.allOf ?? (schema.type === undefined ? undefined : schema.oneOf);
  if (parts?.every((part: Json) => part.$ref ?? part.type)) return parts.flatMap((part: Json) => leavesOf(part, where));
  if (schema.type === 'array') return leavesOf(schema.items, where);
  if (schema.properties)
    return Object.entries<Json>(schema.properties).flatMap(([name, inner]) => leavesOf(inner, `${where}.${name}`));
  return [{ where, schema }];
};

/** What is missing in the description of a leaf. */
const lacks = ({ where, schema }: Leaf): string[] => {
  const name = where.split('.').at(-1)!;
  const types = (schema.oneOf ?? [schema]) as Json[];
  const isNumber = types.some(({ type, format }) => ['integer', 'number'].includes(type) || format === 'uint256');
  const needs: Record<string, boolean> = {
    type: types.every(({ type }) => type !== undefined),
    description: schema.description !== undefined,
    example: schema.example !== undefined || schema.enum?.length === 1 || schema.type === 'object',
    format: types.every((one) => ['boolean', 'object'].includes(one.type) || one.format || one.enum || one.pattern),
    'x-unit': !isNumber || schema['x-unit'] !== undefined || unitless.has(name) || tokenAmounts.has(where),
  };
  return Object.entries(needs)
    .filter(([, isThere]) => !isThere)
    .map(([need]) => `${where}: ${need}`);
};

const operationsOf = (document: Json): { name: string; operation: Json }[] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

/** Checks values against schemas of the description. */
const checker = (document: Json): ((schema: Json, value: unknown) => string) => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document as object, 'api');
  const absolute = (value: Json): Json =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [key, key === '$ref' ? `api${String(inner)}` : absolute(inner)]),
        );
  return (schema, value) => {
    const validate = ajv.compile(absolute(schema) as object);
    return validate(value) ? 'fits' : ajv.errorsText(validate.errors);
  };
};

describe.each(['document', 'reference'] as const)('description of the API, profile %s', (profile) => {
  let network: FakeNetwork;
  let document: Json;
  let check: ReturnType<typeof checker>;
  beforeAll(async () => {
    network = await startFakeNetwork({ profile });
    document = (await network.send('GET', '/docs/openapi.json')).body;
    check = checker(document);
  });
  afterAll(() => network.stop());

  it('is valid OpenAPI 3.0', async () => {
    expect(document.openapi).toMatch(/^3\.0\.\d$/);
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(document.components.securitySchemes).toBeUndefined();
    for (const reference of references(document))
      expect([reference, typeof resolve(reference, document)]).toEqual([reference, 'object']);
  });

  it('has exactly the endpoints that are served', async () => {
    const described = operationsOf(document).map(({ name }) => name);
    expect(described.map(shapeOf).sort()).toEqual([...served].sort());
    for (const name of described) {
      const [method, path] = name.split(' ') as [string, string];
      const { body } = await network.send(method, path.replaceAll(/\{\w+\}/g, 'x'));
      expect([name, body.detail]).not.toEqual([name, 'Resource not found']);
    }
  });

  it('names every operation and parameter', () => {
    const names = new Set<string>();
    for (const { name, operation } of operationsOf(document)) {
      expect(names.has(operation.operationId)).toBe(false);
      names.add(operation.operationId);
      expect(operation.summary).toMatch(/./);
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const parameters: Json[] = operation.parameters ?? [];
      expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
      for (const { required, ...parameter } of parameters) {
        const { description, example, schema } = parameter;
        const lacking = lacks({ where: parameter.name, schema: { ...schema, description, example } });
        const isFilledIn = required && !withoutExample.includes(name);
        expect([name, parameter.name, lacking]).toEqual([
          name,
          parameter.name,
          isFilledIn ? [] : [`${parameter.name}: example`],
        ]);
        expect(typeof required).toBe('boolean');
      }
    }
  });

  it('fills in no optional parameter: "try it out" would send it', () => {
    const optional = operationsOf(document).flatMap(({ name, operation }) =>
      ((operation.parameters ?? []) as Json[])
        .filter(({ required }) => !required)
        .map(({ name: parameter, ...rest }) => ({ where: `${name} ${parameter}`, parameter: rest })),
    );
    expect(optional.length).toBeGreaterThan(15);
    const filledIn = optional.filter(({ parameter }) =>
      [parameter, parameter.schema].some((part) =>
        ['example', 'examples', 'default'].some((member) => Object.hasOwn(part as object, member)),
      ),
    );
    expect(filledIn).toEqual([]);
  });

  it('has examples of the development network', () => {
    const { accounts, contract, deployment, genesis, payment } = developmentValues;
    const publicKeys = accounts.map(({ publicKey }) => publicKey);
    const known: Readonly<Record<string, readonly unknown[]>> = {
      unsignedTx: [payment.unsignedTx, deployment.unsignedTx],
      txId: [payment.txId, deployment.txId],
      conflictingTxId: [payment.txId],
      'X-Conflicting-Transaction': [payment.txId],
      key: [genesis.output.key],
      hint: [genesis.output.hint],
      publicKey: publicKeys,
      fromPublicKey: publicKeys,
      fromPublicKeys: publicKeys,
      keys: publicKeys,
      bytecode: [contract.code, `${contract.code}0000`, developmentValues.script],
      codeHash: [contract.codeHash],
      initialStateHash: [contract.initialStateHash],
      contractAddress: [contract.address, developmentValues.creationEvents],
      'X-Failed-Contract': [contract.address],
    };
    const blockHashes = [genesis.blockHash];
    for (const name of ['hash', 'blockHash', 'block_hash', 'targetBlockHash', 'worldStateBlockHash', 'deps'])
      Object.assign(known, { [name]: blockHashes });
    const wrong = examplesOf(document).filter(({ name, value }) => {
      if (known[name]) return !known[name].includes(value);
      if (/^(initial|max)?atto[A-Z]/i.test(name)) return !/^[0-9]+$/.test(String(value));
      return /address/i.test(name) && typeof value === 'string' && !isAddressOrPeer(value);
    });
    expect(wrong).toEqual([]);
    const seen = new Set(examplesOf(document).map(({ name }) => name));
    expect(Object.keys(known).filter((name) => !seen.has(name))).toEqual([]);
  });

  it('has amounts in the smallest unit as digits', () => {
    const amounts = examplesOf(document).filter(({ name }) => /atto/i.test(name));
    expect(amounts.length).toBeGreaterThan(8);
    expect(amounts.filter(({ value }) => typeof value !== 'string' || !/^[0-9]+$/.test(value))).toEqual([]);
  });

  it('says of every field its type, format, unit and an example', () => {
    const schemas = [
      ...Object.entries<Json>(document.components.schemas),
      ...Object.entries<Json>(document.components.headers).map(
        ([name, { schema, description }]) => [name, { ...schema, description }] as const,
      ),
      ...operationsOf(document).flatMap(({ name, operation }) =>
        [operation.responses['200'], operation.requestBody]
          .map((part: Json) => part?.content?.['application/json'].schema as Json)
          .filter((schema) => schema !== undefined)
          .map((schema: Json) => [name, schema] as const),
      ),
    ];
    expect(schemas.flatMap(([name, schema]) => leavesOf(schema, name).flatMap(lacks))).toEqual([]);
  });

  it('gives every text of a request its longest length', () => {
    const reached = (schema: Json, where: string): Leaf[] =>
      leavesOf(schema, where).concat(
        [...new Set(references(schema))].flatMap((reference) =>
          // A value to send refers to itself, for lists of values.
          reference === where ? [] : reached(resolve(reference, document) as Json, reference),
        ),
      );
    const texts = operationsOf(document).flatMap(({ name, operation }) => [
      ...((operation.parameters ?? []) as Json[]).map((one) => ({ where: `${name} ${one.name}`, schema: one.schema })),
      ...reached((operation.requestBody?.content['application/json'].schema as Json) ?? {}, name),
    ]);
    const isFixed = ({ pattern = '', enum: words }: Json): boolean =>
      words !== undefined || /\{\d+\}\$$/.test(pattern as string);
    const unbounded = texts.filter(
      ({ schema }) => schema.type === 'string' && !isFixed(schema) && !(schema.maxLength > 0),
    );
    expect(unbounded.map(({ where }) => where)).toEqual([]);
    expect(texts.filter(({ schema }) => schema.maxLength > 0).length).toBeGreaterThan(20);
  });

  it('gives every status of errors its body, headers and codes', () => {
    for (const { name, operation } of operationsOf(document)) {
      const { 200: done, ...errors } = operation.responses as Record<string, Json>;
      expect([name, done.headers['X-Request-Id']]).toEqual([name, expect.anything()]);
      for (const status of ['400', '401', '429', '500', '503', ...(name.startsWith('GET') ? [] : ['413'])])
        expect([name, status, errors[status]]).toEqual([name, status, expect.anything()]);
      for (const [status, response] of Object.entries(errors)) {
        expect(response.description).toMatch(/./);
        const { $ref } = response.content['application/json'].schema;
        expect($ref).toBe(`#/components/schemas/${status === '404' ? 'NotFound' : 'Error'}`);
        expect(Object.keys(response.headers as object)).toEqual(
          expect.arrayContaining(['X-Request-Id', 'X-Error-Code']),
        );
        for (const code of response['x-error-codes'] as ErrorCode[]) {
          expect([code, errorCodes[code]]).toEqual([code, expect.anything()]);
          expect([code, String(statusOfCode(code))]).toEqual([code, status]);
        }
        expect([name, status, (response['x-error-codes'] as string[]).length]).not.toEqual([name, status, 0]);
      }
    }
  });

  it('gives a 200 the headers that it may have: those of a failed run, of a wrong signature, and of a sweep that leaves outputs', () => {
    const run = ['X-Failure', 'X-Failed-Contract', 'X-Failed-Instruction', 'X-Assertion-Code'];
    const named = operationsOf(document).flatMap(({ name, operation }) => {
      const headers = Object.keys(operation.responses['200'].headers as object);
      return headers.length > 1 ? [[name, headers]] : [];
    });
    const ofSweep = ['X-Request-Id', 'X-Sweep-Advice', 'X-Spendable-At'];
    expect(named).toEqual([
      ['POST /wallets/{wallet_name}/sweep-active-address', ['X-Request-Id', 'X-Wallet-Advice']],
      ['POST /transactions/sweep-address/build', ofSweep],
      ['POST /multisig/sweep', ofSweep],
      [
        'POST /contracts/call-contract',
        ['X-Request-Id', ...run, 'X-Failed-Function', 'X-Assertion-Name', 'X-Contract-Group'],
      ],
      ['POST /utils/verify-signature', ['X-Request-Id', 'X-Signature-Advice']],
    ]);
  });

  it('has an example of every request, and it fits', () => {
    for (const { name, operation } of operationsOf(document)) {
      const body = operation.requestBody?.content['application/json'];
      if (body) expect([name, check(body.schema, body.example)]).toEqual([name, 'fits']);
      for (const { in: place, schema, example, name: parameter } of ((operation.parameters ?? []) as Json[]).filter(
        (one) => one.example !== undefined,
      ))
        expect([name, place, parameter, check(schema, example)]).toEqual([name, place, parameter, 'fits']);
      const answer = operation.responses['200'].content?.['application/json'];
      if (answer?.example !== undefined) expect([name, check(answer.schema, answer.example)]).toEqual([name, 'fits']);
    }
  });
});

/** Balances have no warning: all outputs are counted (00-decisions, 13). */
const asOurs = (answer: Json): Json => {
  if (answer?.balance === undefined || answer.warning === undefined) return answer;
  const { warning: _warning, ...rest } = answer;
  return rest;
};

describe('recorded examples', () => {
  let network: FakeNetwork;
  let document: Json;
  let check: ReturnType<typeof checker>;
  beforeAll(async () => {
    // Recorded on the reference node, but for the list of addresses, which the document shows.
    network = await startFakeNetwork({ profile: { ...apiProfiles.reference, walletAddresses: 'addresses' } });
    document = (await network.send('GET', '/docs/openapi.json')).body;
    check = checker(document);
  });
  afterAll(() => network.stop());

  const examples = ((readVectors('http-examples.json') as Json).shapes?.endpoints ?? []) as Json[];
  const ours = examples.filter(({ method, path }) => served.includes(shapeOf(`${method} ${path}`)));
  it.each(ours.map((example) => [example.method, example.path, example] as const))(
    '%s %s',
    (method, path, { requests = [], responses = [] }) => {
      const { operation } = operationsOf(document).find(({ name }) => shapeOf(name) === shapeOf(`${method} ${path}`))!;
      const bodySchema = operation.requestBody?.content['application/json'].schema;
      for (const body of requests) expect([body, check(bodySchema, body)]).toEqual([body, 'fits']);
      const answerSchema = operation.responses['200'].content?.['application/json'].schema;
      for (const answer of responses.map(asOurs)) {
        if (answer === '<empty body>') expect(answerSchema).toBeUndefined();
        else expect([answer, check(answerSchema, answer)]).toEqual([answer, 'fits']);
      }
    },
  );
});

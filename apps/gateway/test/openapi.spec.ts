import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readVectors } from '@shardnode/testing/vectors';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

/** What this issue serves; the index of protocol 07, Appendix E, has more. */
const served = [
  'POST /wallets',
  'PUT /wallets',
  'GET /wallets',
  'GET /wallets/{wallet_name}',
  'DELETE /wallets/{wallet_name}',
  'POST /wallets/{wallet_name}/lock',
  'POST /wallets/{wallet_name}/unlock',
  'GET /wallets/{wallet_name}/addresses',
  'GET /wallets/{wallet_name}/addresses/{address}',
  'GET /wallets/{wallet_name}/balances',
  'POST /wallets/{wallet_name}/transfer',
  'POST /wallets/{wallet_name}/sign',
  'POST /wallets/{wallet_name}/change-active-address',
  'POST /wallets/{wallet_name}/derive-next-address',
  'POST /wallets/{wallet_name}/sweep-active-address',
  'POST /wallets/{wallet_name}/sweep-all-addresses',
  'GET /wallets/{wallet_name}/miner-addresses',
  'POST /wallets/{wallet_name}/derive-next-miner-addresses',
  'POST /wallets/{wallet_name}/reveal-mnemonic',
  'GET /infos/node',
  'GET /infos/version',
  'GET /infos/chain-params',
  'GET /infos/self-clique',
  'GET /addresses/{address}/group',
  'GET /addresses/{address}/balance',
  'GET /addresses/{address}/utxos',
  'GET /blockflow/blocks',
  'GET /blockflow/blocks-with-events',
  'GET /blockflow/blocks/{block_hash}',
  'GET /blockflow/blocks-with-events/{block_hash}',
  'GET /blockflow/headers/{block_hash}',
  'GET /blockflow/is-block-in-main-chain',
  'GET /blockflow/hashes',
  'GET /blockflow/chain-info',
  'GET /blockflow/main-chain-block-by-ghost-uncle/{ghost_uncle_hash}',
  'POST /transactions/build',
  'POST /transactions/submit',
  'GET /transactions/status',
  'GET /transactions/details/{txId}',
  'POST /transactions/decode-unsigned-tx',
  'POST /multisig/address',
  'POST /multisig/build',
  'POST /multisig/submit',
  'POST /miners/cpu-mining/mine-one-block',
  'POST /utils/verify-signature',
  'POST /utils/target-to-hashrate',
];

/** Whether a value has the shape that the schema tells: the small part of JSON schema that the description uses. */
const fits = (schema: Json, value: Json, document: Json): boolean => {
  if (value === null && schema.nullable) return true;
  if (schema.$ref) return fits(resolve(schema.$ref, document), value, document);
  if (schema.allOf) return schema.allOf.every((part: Json) => fits(part, value, document));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.some((choice: Json) => fits(choice, value, document));
  if (schema.enum && !schema.enum.includes(value)) return false;
  switch (schema.type) {
    case 'object': {
      // Optional fields may be null (protocol 07 §1.6).
      if (typeof value !== 'object' || value === null) return false;
      const required: string[] = schema.required ?? [];
      return (
        required.every((name) => name in value) &&
        Object.entries(value).every(
          ([name, inner]) => !schema.properties?.[name] || fits(schema.properties[name], inner, document),
        )
      );
    }
    case 'array':
      return Array.isArray(value) && value.every((item) => fits(schema.items, item, document));
    case 'string':
      return typeof value === 'string' && (!schema.pattern || new RegExp(schema.pattern).test(value));
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && value >= (schema.minimum ?? -Infinity);
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return true;
  }
};

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

describe('description of the API', () => {
  let network: FakeNetwork;
  let document: Json;
  beforeAll(async () => {
    network = await startFakeNetwork();
    document = (await network.send('GET', '/docs/openapi.json')).body;
  });
  afterAll(() => network.stop());

  it('has exactly the endpoints that are served', async () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual([...served].sort());
    for (const name of served) {
      const [method, path] = name.split(' ') as [string, string];
      const { body } = await network.send(method, path.replaceAll(/\{\w+\}/g, 'x'));
      expect([name, body.detail]).not.toEqual([name, 'Resource not found']);
    }
  });

  it('is structured as OpenAPI 3.0 wants it', () => {
    expect(document.openapi).toMatch(/^3\.0\.\d$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    expect(document.components.securitySchemes).toBeUndefined();
    for (const reference of references(document))
      expect([reference, typeof resolve(reference, document)]).toEqual([reference, 'object']);
    const names = new Set<string>();
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values<Json>(methods)) {
        expect(names.has(operation.operationId)).toBe(false);
        names.add(operation.operationId);
        expect(operation.summary).toMatch(/./);
        const parameters: Json[] = operation.parameters ?? [];
        expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(inPath);
        for (const parameter of parameters) {
          expect(parameter).toMatchObject({ description: expect.stringMatching(/./), required: expect.any(Boolean) });
          expect(parameter.schema.type).toMatch(/string|integer|boolean/);
        }
        for (const status of ['200', '400', '401', '500', '503'])
          expect(operation.responses[status].description).toMatch(/./);
      }
    }
  });

  it('says of every field what it is', () => {
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      for (const [field, property] of Object.entries<Json>(schema.properties ?? {})) {
        const described = property.$ref ? resolve(property.$ref, document) : property;
        expect([name, field, described.description ?? described.allOf ?? described.anyOf]).toEqual([
          name,
          field,
          expect.anything(),
        ]);
      }
    }
  });

  const examples = (readVectors('http-examples.json') as Json).shapes?.endpoints ?? [];
  const ours = (examples as Json[]).filter(({ method, path }) => served.includes(`${method} ${path}`));
  it.each(ours.map((example) => [example.method, example.path, example] as const))(
    'the recorded examples of %s %s fit it',
    (method, path, example) => {
      const operation = document.paths[path][method.toLowerCase()];
      const bodySchema = operation.requestBody?.content['application/json'].schema;
      for (const body of example.requests ?? []) expect([body, fits(bodySchema, body, document)]).toEqual([body, true]);
      const answerSchema = operation.responses['200'].content?.['application/json'].schema;
      for (const answer of example.responses ?? []) {
        if (answer === '<empty body>') expect(answerSchema).toBeUndefined();
        else expect([answer, fits(answerSchema, answer, document)]).toEqual([answer, true]);
      }
    },
  );
});

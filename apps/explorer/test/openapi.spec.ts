import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type Explorer, openExplorer } from './support/open-explorer.js';

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

let explorer: Explorer;
let document: Json;
const get = (path: string) => fetch(`http://127.0.0.1:${explorer.api.port}${path}`, { redirect: 'manual' });
beforeAll(async () => {
  explorer = await openExplorer(4);
  document = await (await get('/docs/openapi.json')).json();
});
afterAll(() => explorer.close());

const operations = (): { readonly name: string; readonly operation: Json }[] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

/** Schemas of a description that hold a value, by where they are. */
const leaves = (schema: Json, where: string): { readonly where: string; readonly schema: Json }[] => {
  if (schema.$ref) return [];
  const parts = schema.anyOf ?? schema.allOf;
  if (parts) return parts.flatMap((part: Json) => leaves(part, where));
  if (schema.items) return leaves(schema.items, where);
  if (schema.properties)
    return Object.entries<Json>(schema.properties).flatMap(([name, inner]) => leaves(inner, `${where}.${name}`));
  return [{ where, schema }];
};

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });

  it('describes every operation: summary, group, answer, errors', () => {
    const incomplete = operations().filter(
      ({ operation: { summary, tags, operationId, responses } }) =>
        !(summary && operationId && document.tags.some(({ name }: Json) => name === tags?.[0]) && responses['500']) ||
        !Object.values<Json>(responses['200'].content ?? {})[0]?.schema,
    );
    expect(incomplete.map(({ name }) => name)).toEqual([]);
    expect(operations().length).toBeGreaterThan(35);
  });

  it('describes every parameter with its type and, where it is required, an example', () => {
    const parameters = operations().flatMap(({ name, operation }) =>
      (operation.parameters ?? []).map((parameter: Json) => ({ where: `${name} ${parameter.name}`, parameter })),
    );
    const incomplete = parameters.filter(
      ({ parameter: { description, schema, required, example } }) =>
        !description || !schema.type || (required && example === undefined),
    );
    expect(incomplete.map(({ where }) => where)).toEqual([]);
  });

  it('describes every member of an answer', () => {
    const all = Object.entries<Json>(document.components.schemas).flatMap(([name, schema]) => leaves(schema, name));
    const incomplete = all.filter(({ schema }) => !schema.description || !(schema.type ?? schema.oneOf));
    expect(incomplete.map(({ where }) => where)).toEqual([]);
  });

  it('has the bounds of pages', () => {
    const { parameters } = document.paths['/blocks'].get;
    const find = (name: string) => parameters.find((parameter: Json) => parameter.name === name);
    expect(find('page')).toMatchObject({ description: expect.stringContaining('default 1'), schema: { minimum: 1 } });
    expect(find('limit')).toMatchObject({
      description: expect.stringContaining('default 20'),
      schema: { type: 'integer', minimum: 0, maximum: 100 },
    });
  });
});

describe('the documentation page', () => {
  it('is at /docs/ with its files, nothing from elsewhere', async () => {
    const redirect = await get('/docs');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([308, 'docs/']);
    const page = await get('/docs/');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await page.text();
    const addresses = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address!);
    for (const address of addresses) expect([address, (await get(`/docs/${address}`)).status]).toEqual([address, 200]);
    expect(addresses.some((address) => address.includes('//'))).toBe(false);
  });
});

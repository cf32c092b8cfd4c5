import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { describeNetwork } from './kit/deployment.js';
import { type Method } from './kit/api-client.js';
import { startNetwork, type Network } from './kit/network.js';
import { confirmed } from './kit/transfers.js';

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

/** Examples of what is not there on a fresh network, with the status that says so. */
const absent: Readonly<Record<string, number>> = {
  // Blocks of the development network have no uncles.
  'GET /blockflow/main-chain-block-by-ghost-uncle/{ghost_uncle_hash}': 400,
  'GET /contracts/{address}/state': 404,
  'GET /events/contract/{contractAddress}/current-count': 404,
  // The miner of the development network has taken it already.
  'PUT /mempool/transactions/rebroadcast': 404,
};

/** What takes away what later examples need comes last. */
const last = ['DELETE /wallets/{wallet_name}', 'DELETE /mempool/transactions'];
/** Examples that use a transaction which must be in a block. */
const needsPayment = ['GET /transactions/details/{txId}', 'POST /multisig/build'];

interface Example {
  readonly name: string;
  readonly method: Method;
  readonly url: string;
  readonly body: unknown;
  readonly answerSchema: Json;
}

const exampleOf = (path: string, method: string, operation: Json): Example => {
  const parameters: Json[] = operation.parameters ?? [];
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name).example)),
  );
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase() as Method,
    url: query.length === 0 ? filled : `${filled}?${new URLSearchParams(query).toString()}`,
    body: operation.requestBody?.content['application/json'].example,
    answerSchema: operation.responses['200'].content?.['application/json'].schema,
  };
};

const absolute = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === '$ref' ? `api${String(inner)}` : absolute(inner)]),
  );
};

describeNetwork('the examples of the description', () => {
  let network: Network;
  let document: Json;
  beforeAll(async () => {
    network = await startNetwork();
    document = await network.api.get('/docs/openapi.json');
  });
  afterAll(() => network?.remove());

  it('work on a fresh development network, in their order, and are answered as described', async () => {
    const { api } = network;
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema(document as object, 'api');
    const examples = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => exampleOf(path, method, operation)),
    );
    const inOrder = [
      ...examples.filter(({ name }) => !last.includes(name)),
      ...examples.filter(({ name }) => last.includes(name)),
    ];
    const payment = examples.find(({ name }) => name === 'GET /transactions/status')!;
    const txId = new URLSearchParams(payment.url.split('?')[1]).get('txId')!;
    const outcomes: unknown[] = [];
    for (const { name, method, url, body, answerSchema } of inOrder) {
      if (needsPayment.includes(name)) await confirmed(api, txId);
      const answer = await api.send(method, url, { body });
      const expected = absent[name] ?? 200;
      const isEmpty = answer.status === 200 && answerSchema === undefined;
      const validate = ajv.compile((isEmpty || answer.status !== 200 ? {} : absolute(answerSchema)) as object);
      const fits = isEmpty ? answer.text === '' : validate(JSON.parse(answer.text));
      if (answer.status !== expected || !fits)
        outcomes.push([name, answer.status, answer.text.slice(0, 300), ajv.errorsText(validate.errors)]);
    }
    expect(outcomes).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { developmentValues } from '@shardnode/http';
import { describeNetwork } from './kit/deployment-under-test.js';
import { type Method } from './kit/api-client.js';
import { startNetwork, type Network } from './kit/network.js';
import { confirmed } from './kit/transfers.js';

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = any;

/** What a fresh network does not have: an uncle, a transaction that waits. The page fills nothing in and sends nothing. */
const withoutExample = [
  'GET /blockflow/main-chain-block-by-ghost-uncle/{ghost_uncle_hash}',
  'PUT /mempool/transactions/rebroadcast',
];

/** What takes away what later examples need comes last. */
const last = ['DELETE /wallets/{wallet_name}', 'DELETE /mempool/transactions'];
/** Examples that use a transaction which must be in a block. */
const needsPayment = ['GET /transactions/details/{txId}', 'POST /multisig/build'];
const needsDeployment = ['GET /contracts/{address}/state'];

interface Example {
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  /** Parameters that the page fills in. */
  readonly filledIn: readonly Json[];
  readonly isComplete: boolean;
  readonly body: unknown;
  readonly answerSchema: Json;
}

const exampleOf = (path: string, method: string, operation: Json): Example => {
  const parameters: Json[] = operation.parameters ?? [];
  // The page takes all of these for the value of a parameter.
  const valueOf = ({ example, examples, schema }: Json): unknown =>
    example ?? (Object.values<Json>(examples ?? {})[0]?.value as unknown) ?? schema.example ?? schema.default;
  const filledIn = parameters
    .map((one) => ({ ...one, value: valueOf(one) }))
    .filter(({ value }) => value !== undefined);
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase() as Method,
    path,
    filledIn,
    isComplete: parameters.every(({ name, required }) => !required || filledIn.some((one) => one.name === name)),
    body: operation.requestBody?.content['application/json'].example,
    answerSchema: operation.responses['200'].content?.['application/json'].schema,
  };
};

/** What the page sends when somebody presses "Execute". */
const urlOf = ({ path, filledIn }: Example): string => {
  const query = filledIn
    .filter((one) => one.in === 'query')
    .map(({ name, value }): [string, string] => [name, String(value)]);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(filledIn.find((one) => one.name === name).value)),
  );
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query).toString()}`;
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
    expect(examples.filter(({ isComplete }) => !isComplete).map(({ name }) => name)).toEqual(withoutExample);
    const complete = examples.filter(({ isComplete }) => isComplete);
    const inOrder = [
      ...complete.filter(({ name }) => !last.includes(name)),
      ...complete.filter(({ name }) => last.includes(name)),
    ];
    const { payment, deployment } = developmentValues;
    const outcomes: unknown[] = [];
    for (const example of inOrder) {
      const { name, method, body, answerSchema } = example;
      if (needsPayment.includes(name)) await confirmed(api, payment.txId);
      if (needsDeployment.includes(name)) await confirmed(api, deployment.txId);
      const answer = await api.send(method, urlOf(example), { body });
      const isEmpty = answerSchema === undefined;
      const validate = ajv.compile((isEmpty ? {} : absolute(answerSchema)) as object);
      const fits = isEmpty ? answer.text === '' : validate(JSON.parse(answer.text));
      if (answer.status !== 200 || !fits)
        outcomes.push([name, answer.status, answer.text.slice(0, 300), ajv.errorsText(validate.errors)]);
    }
    expect(outcomes).toEqual([]);
  });

  it('are about what has happened', async () => {
    const { api } = network;
    const { payment, deployment, contract, creationEvents } = developmentValues;
    expect(await api.get(`/transactions/status?txId=${payment.txId}`)).toMatchObject({ type: 'Confirmed' });
    expect(await api.get(`/events/tx-id/${deployment.txId}`)).toMatchObject({
      events: [{ contractAddress: creationEvents, fields: [{ value: contract.address }, {}, {}] }],
    });
    expect(
      await api.post('/contracts/call-contract', { group: 0, address: contract.address, methodIndex: 0 }),
    ).toMatchObject({ type: 'CallContractSucceeded', returns: [{ type: 'U256', value: '1' }] });
  });
});

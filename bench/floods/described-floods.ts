/** Floods of each endpoint that the OpenAPI document describes: a new endpoint gets its flood by itself. */
import { type DescribedEndpoint, endpointsOf, type Parameter } from '../../e2e/kit/fuzz/described-api.js';
import { type Flood } from './flood.js';
import { type FloodedNetwork, walletName } from './flooded-network.js';
import { type HostileRequest } from './flooding-client.js';

const anHour = 3_600_000;
const unknownHash = 'ab'.repeat(32);
const unknownAddress = '1C2RAVWSuaXw8xtUxqVERR7ChKBE1XgscNFw73NSHE1v3';

type Values = (name: string, endpoint: DescribedEndpoint) => unknown;

/** Ids that exist. */
const goodValues =
  ({ txId, blockHash, contractAddress, funded }: FloodedNetwork): Values =>
  (name, { path }) => {
    const values: Record<string, unknown> = {
      address: path.startsWith('/contracts') ? contractAddress : funded[0]!.address,
      contractAddress,
      txId,
      blockHash,
      block_hash: blockHash,
      ghost_uncle_hash: blockHash,
      fromTs: Date.now() - anHour / 4,
      action: 'start-mining',
    };
    return values[name];
  };

/** Ids that do not exist. */
const unknownValues: Values = (name, { path }) => {
  if (/hash|txid/i.test(name)) return unknownHash;
  if (/address/i.test(name))
    return path.startsWith('/addresses') || path.startsWith('/wallets') ? unknownAddress : undefined;
  return name === 'wallet_name' ? 'nobody' : undefined;
};

const badValues: Values = () => '%2500-x';

const exampleOf = ({ example, schema }: Parameter): unknown => example ?? schema.example;

/** The request of an endpoint with these values, examples of the document for others. */
const requestOf = (endpoint: DescribedEndpoint, values: Values, body?: string): HostileRequest => {
  const valueOf = (parameter: Parameter): unknown => values(parameter.name, endpoint) ?? exampleOf(parameter);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    String(valueOf(endpoint.parameters.find((parameter) => parameter.name === name)!) ?? unknownHash),
  );
  const query = endpoint.parameters
    .filter(
      (parameter) => parameter.in === 'query' && (parameter.required || values(parameter.name, endpoint) !== undefined),
    )
    .map((parameter) => `${parameter.name}=${String(valueOf(parameter))}`);
  const text = body ?? (endpoint.body && JSON.stringify(endpoint.body.example));
  return {
    method: endpoint.method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    ...(text === undefined ? {} : { body: text }),
  };
};

const areaOf = ({ path }: DescribedEndpoint): string => path.split('/')[1]!;

/** Those that end what other floods need are sent to a wallet that does not exist. */
const isDestructive = ({ name }: DescribedEndpoint): boolean =>
  name === 'DELETE /wallets/{wallet_name}' || name.endsWith('/lock');

/** Floods with good requests, by method and area; `PUT` and `DELETE` with `POST`. */
const goodFloods = (network: FloodedNetwork, endpoints: readonly DescribedEndpoint[]): Flood[] => {
  const values = goodValues(network);
  const byKind = new Map<string, DescribedEndpoint[]>();
  for (const endpoint of endpoints) {
    const kind = `${endpoint.method === 'GET' ? 'reads' : 'commands'} of ${areaOf(endpoint)}`;
    byKind.set(kind, [...(byKind.get(kind) ?? []), endpoint]);
  }
  return [...byKind].map(([name, those]) => ({
    name,
    requests: () => those.map((endpoint) => requestOf(endpoint, isDestructive(endpoint) ? unknownValues : values)),
  }));
};

export const describedFloods = (network: FloodedNetwork): readonly Flood[] => {
  const endpoints = endpointsOf(network.document);
  const reads = endpoints.filter(({ method }) => method === 'GET');
  const withParameters = reads.filter(({ parameters }) => parameters.length > 0);
  const withBody = endpoints.filter(({ body }) => body !== undefined);
  const good = goodValues(network);
  const withMethod = (method: string) => () => reads.map((endpoint) => ({ ...requestOf(endpoint, good), method }));
  return [
    ...goodFloods(network, endpoints),
    {
      name: 'reads of what is not there',
      requests: () => withParameters.map((each) => requestOf(each, unknownValues)),
    },
    { name: 'reads with wrong values', requests: () => withParameters.map((each) => requestOf(each, badValues)) },
    { name: 'bodies that are no JSON', requests: () => withBody.map((each) => requestOf(each, good, '{"a":')) },
    { name: 'bodies without fields', requests: () => withBody.map((each) => requestOf(each, good, '{}')) },
    { name: 'HEAD of each read', requests: withMethod('HEAD') },
    { name: 'OPTIONS of each read', requests: withMethod('OPTIONS') },
    { name: 'methods that are not there', requests: withMethod('PATCH') },
    {
      name: 'paths that are not there',
      requests: () => Array.from({ length: 500 }, (_, i) => ({ method: 'GET', path: `/nothing/${i}/at/all` })),
    },
    {
      name: 'requests of foreign pages',
      requests: () => reads.map((each) => ({ ...requestOf(each, good), headers: { Origin: 'http://evil.example' } })),
    },
    {
      name: `wallet ${walletName}: preflights`,
      requests: () => [
        {
          method: 'OPTIONS',
          path: `/wallets/${walletName}/transfer`,
          headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' },
        },
      ],
    },
  ];
};

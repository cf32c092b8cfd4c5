import { seededRandom } from '@shardnode/testing/seeded-random';
import { type Method } from '../api-client.js';
import { jsonText } from './json-text.js';
import { badBody, badText, brokenBodies } from './bad-values.js';
import { type DescribedEndpoint, endpointsOf, isEndless, type Parameter } from './described-api.js';
import { type GoodValues } from './good-values.js';

export interface FuzzRequest {
  /** With the seed it tells the request. */
  readonly number: number;
  /** The endpoint that it was made from; its path may lead elsewhere. */
  readonly endpoint: DescribedEndpoint;
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface FuzzSettings {
  readonly seed: number;
  /** How many requests there will be. */
  readonly count: number;
  /** Of an API with wallets. */
  readonly wallets?: WalletSettings;
}

/** What requests may do to wallets. */
interface WalletSettings {
  /** How many requests of one endpoint may stretch a key out of a password. */
  readonly stretched: number;
  /** A wallet that may be deleted. */
  readonly victim: string;
  /** One to lock, and for wrong passwords: after some of them the right one has to wait, too. */
  readonly besieged: string;
}

/** What a request does to a wallet that others could not work with afterwards. */
const hardOnWallets = (endpoint: DescribedEndpoint): boolean =>
  asksForPassword(endpoint) || endpoint.path.endsWith('/lock');

/** Whether a key may be stretched for it: such requests wait for each other in the node, too. */
export const mayStretch = ({ endpoint, body }: FuzzRequest): boolean =>
  asksForPassword(endpoint) && /"password":"/.test(body ?? '');

const asksForPassword = ({ body }: DescribedEndpoint): boolean =>
  typeof body?.example === 'object' && body.example !== null && 'password' in body.example;

/** Its password must be the right one. */
const hasWallet = ({ path }: DescribedEndpoint): boolean => path.includes('{wallet_name}');

/** Percent-encoded; half a character has no encoding. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, ''));

const badPaths = ['/', '//', '/..', '/%', '/%ff', '/%00', '/;a', '/a/b/c', '?', '%20', '/x'];

const strangeHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/xml; charset=utf-16' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': ';;;' },
  { accept: 'text/html' },
  { accept: 'nonsense' },
  { 'accept-encoding': 'gzip;q=0, nonsense' },
  { 'x-request-id': 'a'.repeat(1_000) },
  { 'x-request-id': '' },
  { 'x-api-key': 'short' },
  { 'x-api-key': 'k'.repeat(64) },
  { 'x-api-key': '' },
  { origin: 'http://example.com' },
  { origin: 'null' },
  { host: 'nowhere.example:1' },
  { cookie: 'a=b; '.repeat(200) },
  { authorization: 'Basic AAAA' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { expect: '100-continue' },
  { expect: 'nonsense' },
  { 'content-encoding': 'gzip' },
  { 'x-forwarded-for': '::::, 1, \u00e9' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-strange': '\u00ff'.repeat(100) },
  { 'x-long': 'a'.repeat(17_000) },
];

/** Requests for all endpoints: a third as described, the others with something wrong. */
export class FuzzRequests {
  private readonly endpoints: readonly DescribedEndpoint[];

  constructor(
    private readonly values: GoodValues,
    private readonly settings: FuzzSettings,
  ) {
    this.endpoints = endpointsOf(values.document).filter((endpoint) => !isEndless(endpoint));
  }

  request(number: number): FuzzRequest {
    const { values, settings } = this;
    values.random = seededRandom(Math.imul(settings.seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
    const endpoint = values.pick(this.endpoints);
    const wrong = values.pick(['', '', 'parameters', 'body', 'body', 'body', 'headers', 'path', 'form'] as const);
    const { method, path } = this.line(endpoint, wrong);
    const hasBody = endpoint.body !== undefined || (wrong === 'form' && values.chance(0.2));
    return {
      number,
      endpoint,
      method,
      path,
      headers: wrong === 'headers' ? values.pick(strangeHeaders) : {},
      body: hasBody ? this.body(endpoint, wrong) : undefined,
    };
  }

  private line(endpoint: DescribedEndpoint, wrong: string): { readonly method: Method; readonly path: string } {
    const { values } = this;
    // Where there is no body to be wrong, a parameter is.
    const isBad = (wrong === 'body' && !endpoint.body) || wrong === 'parameters';
    const parameters = endpoint.parameters.filter(({ required }) => required || values.chance(0.5));
    const target = isBad && parameters.length > 0 ? values.pick(parameters) : undefined;
    const text = (parameter: Parameter): string => {
      const good = this.parameter(endpoint, parameter, wrong);
      return parameter === target ? badText(values, good, parameter.schema) : String(good as string);
    };
    const filled = endpoint.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      encoded(text(endpoint.parameters.find((each) => each.name === name)!)),
    );
    const query = parameters
      .filter((each) => each.in === 'query' && !(each === target && values.chance(0.15)))
      .map((each) => `${each.name}=${encoded(text(each))}`);
    if (isBad && values.chance(0.1)) query.push(...query, 'extra=1', '__proto__=1', '%=%');
    const path = query.length === 0 ? filled : `${filled}?${query.join('&')}`;
    if (wrong !== 'path') return { method: endpoint.method, path };
    if (values.chance(0.3)) return { method: values.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']), path };
    return { method: endpoint.method, path: filled + values.pick(badPaths) };
  }

  private parameter(endpoint: DescribedEndpoint, { name, schema }: Parameter, wrong: string): unknown {
    const good = this.values.value(schema, name);
    const { wallets } = this.settings;
    if (!wallets || name !== 'wallet_name' || !hardOnWallets(endpoint)) return good;
    const isRight = asksForPassword(endpoint) && wrong !== 'body';
    return isRight ? wallets.victim : wallets.besieged;
  }

  private body(endpoint: DescribedEndpoint, wrong: string): string {
    const { values } = this;
    const { schema } = endpoint.body ?? { schema: {} };
    if (wrong === 'form') return values.pick(brokenBodies);
    const good = this.goodBody(endpoint);
    return jsonText(wrong === 'body' ? badBody(values, good, schema) : good);
  }

  private goodBody(endpoint: DescribedEndpoint): unknown {
    const { values, settings } = this;
    if (!endpoint.body) return {};
    const { schema, example } = endpoint.body;
    const isExample = values.chance(0.4) || (asksForPassword(endpoint) && hasWallet(endpoint));
    const good = example !== undefined && isExample ? example : values.value(schema, '');
    if (!settings.wallets || !asksForPassword(endpoint)) return good;
    if (values.chance((settings.wallets.stretched * this.endpoints.length) / settings.count)) return good;
    return { ...(good as object), password: values.pick([null, true, [], {}, { password: '' }]) };
  }
}

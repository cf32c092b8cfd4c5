import { Ajv, type ValidateFunction } from 'ajv';
import { type Answer } from '../api-client.js';
import { type ApiDocument, type DescribedEndpoint, type DescribedResponse, endpointsOf } from './described-api.js';
import { type FuzzRequest } from './fuzz-requests.js';

/** What no answer may show: places in the program, and values that were printed by mistake. */
const innards =
  /\n\s+at |\.[cm]?[jt]s:\d+|node_modules|node:internal|\/(?:apps|libs|home|root|tmp|usr)\/|\b[A-Z][a-z]\w*(?:Error|Exception)\b|\[object |\bundefined\b|\bNaN\b|\bPrisma|\bZod|\bSELECT\b/;

/** What the server answers before it knows the endpoint: status and codes. */
const beforeEndpoints: Readonly<Record<number, readonly string[]>> = {
  400: ['MalformedPath'],
  403: ['ForeignOrigin', 'ForeignHost'],
  404: ['RouteNotFound'],
  405: ['MethodNotAllowed'],
  431: ['HeadersTooLarge'],
};

/** Bytes (protocol 07 §1.1). */
const headersLimit = 16 * 1024;

const absolute = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === '$ref' ? `api${String(inner)}` : absolute(inner)]),
  );
};

/** Whether an answer is one that the description allows. */
export class Judge {
  private readonly ajv = new Ajv({ strict: false, validateFormats: false });
  private readonly validators = new Map<DescribedResponse, ValidateFunction>();
  private readonly endpoints: readonly { readonly endpoint: DescribedEndpoint; readonly form: RegExp }[];

  constructor(document: ApiDocument) {
    this.ajv.addSchema(document, 'api');
    this.endpoints = endpointsOf(document).map((endpoint) => ({
      endpoint,
      form: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    }));
  }

  /** What is wrong with an answer. */
  complaints(request: FuzzRequest, answer: Answer): string[] {
    const { status, headers, text } = answer;
    const found: string[] = [];
    if (status >= 500) found.push('a fault of the node');
    if (innards.test(text)) found.push(`shows innards: ${innards.exec(text)?.[0]}`);
    const response = this.responseTo(request, answer);
    if (!response) return [...found, 'undocumented status or code'];
    const code = headers['x-error-code'];
    if (status !== 200 && response['x-error-codes']?.includes(String(code)) === false)
      found.push(`undocumented code ${String(code)}`);
    if (headers['x-request-id'] === undefined) found.push('no X-Request-Id');
    return response.content
      ? [...found, ...this.bodyComplaints(response, answer)]
      : [...found, ...emptyComplaints(text)];
  }

  /** The response that the description has for this answer. */
  private responseTo(
    { method, path, headers }: FuzzRequest,
    { status, headers: said }: Answer,
  ): DescribedResponse | undefined {
    const known = this.endpointOf(method, path.split('?')[0]!)?.responses;
    const isTooLong = JSON.stringify(headers).length > headersLimit;
    const isEarly = beforeEndpoints[status]?.includes(String(said['x-error-code'])) ?? false;
    // Foreign pages are refused everywhere, and each endpoint says so.
    if (!isEarly || (status === 403 && known)) return known?.[status];
    // What leads to no endpoint is answered without the name of a resource.
    return known === undefined || isTooLong
      ? { content: this.endpoints[0]!.endpoint.responses[400]!.content! }
      : undefined;
  }

  /** The one that a path leads to, if it can be read. */
  private endpointOf(method: string, path: string): DescribedEndpoint | undefined {
    try {
      decodeURIComponent(path);
    } catch {
      return undefined;
    }
    return this.endpoints.find(({ endpoint, form }) => endpoint.method === method && form.test(path))?.endpoint;
  }

  private bodyComplaints(response: DescribedResponse, { headers, text }: Answer): string[] {
    const type = headers['content-type'];
    if (type !== 'application/json') return [`Content-Type ${String(type)}`];
    try {
      const validate = this.validator(response);
      return validate(JSON.parse(text)) ? [] : [`does not fit its schema: ${this.ajv.errorsText(validate.errors)}`];
    } catch (error) {
      return [`is not JSON: ${String(error)}`];
    }
  }

  private validator(response: DescribedResponse): ValidateFunction {
    const known = this.validators.get(response);
    if (known) return known;
    const made = this.ajv.compile(absolute(response.content!['application/json'].schema) as object);
    this.validators.set(response, made);
    return made;
  }
}

const emptyComplaints = (text: string): string[] => (text === '' ? [] : ['is not empty']);

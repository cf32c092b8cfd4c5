import { Ajv, type ValidateFunction } from 'ajv';
import { type Answer } from '../api-client.js';
import {
  type ApiDocument,
  type DescribedContent,
  type DescribedEndpoint,
  type DescribedResponse,
  endpointsOf,
} from './described-api.js';
import { type FuzzRequest } from './fuzz-requests.js';

/** What no answer may show by itself: places in the program, and values that were printed by mistake. */
const innards =
  /\n\s+at |\.[cm]?[jt]s:\d+|node_modules|node:internal|\/(?:apps|libs|home|root|tmp|usr)\/|\b[A-Z][a-z]\w*(?:Error|Exception)\b|\[object |\bundefined\b|\bNaN\b|\bPrisma|\bZod|\bSELECT\b/g;

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

/** As JSON Schema, with absolute references. A reference that may be null has no type, which a validator of JSON Schema wants. */
const jsonSchemaOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(jsonSchemaOf);
  if (typeof value !== 'object' || value === null) return value;
  if ('allOf' in value && 'nullable' in value) {
    const { allOf, nullable: _nullable, ...rest } = value;
    return { ...rest, anyOf: [{ allOf: jsonSchemaOf(allOf) }, { enum: [null] }] };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === '$ref' ? `api${String(inner)}` : jsonSchemaOf(inner)]),
  );
};

/** The first innards that an answer shows, if any. Words of the request, like the names of a contract, may come back. */
const innardsIn = (text: string, request: FuzzRequest): string[] => {
  const said = JSON.stringify([request.path, request.headers, request.body]);
  return [...text.matchAll(innards)]
    .map(([shown]) => shown)
    .filter((shown) => !said.includes(shown))
    .slice(0, 1);
};

/** Whether an answer is one that the description allows. */
export class Judge {
  private readonly ajv = new Ajv({ strict: false, validateFormats: false });
  private readonly validators = new Map<DescribedContent, ValidateFunction>();
  private readonly anyRefusal: DescribedContent;
  private readonly endpoints: readonly { readonly endpoint: DescribedEndpoint; readonly form: RegExp }[];

  constructor(document: ApiDocument) {
    this.ajv.addSchema(jsonSchemaOf(document) as object, 'api');
    this.endpoints = endpointsOf(document).map((endpoint) => ({
      endpoint,
      form: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    }));
    this.anyRefusal = this.contentOfEarly();
  }

  /** What is wrong with an answer. */
  complaints(request: FuzzRequest, answer: Answer): string[] {
    const { status, headers, text } = answer;
    const found: string[] = [];
    if (status >= 500) found.push('a fault of the node');
    found.push(...innardsIn(text, request).map((shown) => `shows innards: ${shown}`));
    const response = this.responseTo(request, answer);
    if (!response) return [...found, 'undocumented status or code'];
    const code = headers['x-error-code'];
    if (status !== 200 && response['x-error-codes']?.includes(String(code)) === false)
      found.push(`undocumented code ${String(code)}`);
    if (headers['x-request-id'] === undefined) found.push('no X-Request-Id');
    return response.content
      ? [...found, ...this.bodyComplaints(response.content, answer)]
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
    return known === undefined || isTooLong ? { content: this.anyRefusal } : undefined;
  }

  /** Refusals of an unknown path may have the name of a resource, or not. */
  private contentOfEarly(): DescribedContent {
    const schemas = [400, 404].flatMap((status) => {
      const response = this.endpoints.find(({ endpoint }) => endpoint.responses[status])?.endpoint.responses[status];
      return response?.content?.['application/json']?.schema ?? [];
    });
    return { 'application/json': { schema: { anyOf: schemas } } };
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

  private bodyComplaints(content: DescribedContent, { headers, text }: Answer): string[] {
    const type = String(headers['content-type']);
    if (!(type in content)) return [`Content-Type ${type}`];
    if (type !== 'application/json') return [];
    try {
      const validate = this.validator(content);
      return validate(JSON.parse(text)) ? [] : [`does not fit its schema: ${this.ajv.errorsText(validate.errors)}`];
    } catch (error) {
      return [`is not JSON: ${String(error)}`];
    }
  }

  private validator(content: DescribedContent): ValidateFunction {
    const known = this.validators.get(content);
    if (known) return known;
    const made = this.ajv.compile(jsonSchemaOf(content['application/json']!.schema) as object);
    this.validators.set(content, made);
    return made;
  }
}

const emptyComplaints = (text: string): string[] => (text === '' ? [] : ['is not empty']);

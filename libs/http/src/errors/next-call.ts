import { type ErrorRow } from './error-row.js';
import { rowOfCode } from './error-codes.js';

/** The request that failed, as far as an error's lesson needs it. */
export interface FailedRequest {
  /** `POST /wallets/{wallet_name}/unlock`, as the endpoint is described. */
  readonly call: string;
  /** Names of its parameters and of the fields of its body. */
  readonly fields: ReadonlySet<string>;
  /** What fills the braces of a next call, e.g. parameters of the path; only what the table names is ever told. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** `wallets` of `POST /wallets/{wallet_name}/unlock` */
const areaOf = (call: string): string => call.split('/', 2)[1] ?? '';

const nextOf = ({ next, nextNeeds }: ErrorRow, { call, known }: FailedRequest): string | undefined => {
  if (nextNeeds !== undefined && known[nextNeeds] === undefined) return undefined;
  return typeof next === 'object' ? (next[call] ?? next[areaOf(call)] ?? next.otherwise) : next;
};

/** Characters of what fills a brace; the longest that a path takes. */
const longestFilling = 8_192;

/** Requests hold whatever a client likes: half a pair of surrogates has no form in a path. */
const isFilling = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= longestFilling && !/\p{Surrogate}/u.test(value);

/** Nothing when a brace cannot be filled: a call that the client cannot make teaches nothing. */
const filled = (template: string, known: FailedRequest['known']): string | undefined => {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (!names.every((name) => isFilling(known[name]))) return undefined;
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(known[name] as string));
};

/** `destinations[0].address` is a field of a request that has `destinations`. */
const isFieldOf = (field: string, fields: ReadonlySet<string>): boolean => fields.has(field.split(/[.[]/, 1)[0]!);

/** `destinations[1]` of a request; undefined where it is not there. */
const elementAt = (known: FailedRequest['known'], path: string): unknown =>
  path
    .split(/[.[\]]+/)
    .filter((name) => name !== '')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], known);

/** A destination is sent with either name of its amount (protocol 07 §1.7): the one that the request has. */
const asSent = (field: string, { known }: FailedRequest): string => {
  const end = '.attoCoinAmount';
  if (!field.endsWith(end)) return field;
  const place = field.slice(0, -end.length);
  const element = elementAt(known, place) as { readonly amount?: unknown } | null | undefined;
  return element?.amount === undefined ? field : `${place}.amount`;
};

/**
 * The wrong field, under the name that the code has, and the next call. `told` is the field that the error itself names; a
 * service may know it by a name of its own, then the table has the one of the request. Never the call that has just failed.
 */
export const lessonOf = (
  code: string,
  request: FailedRequest,
  told?: string,
): { readonly field?: string | undefined; readonly next?: string | undefined } => {
  const { fields } = request;
  const row = rowOfCode(code);
  const own = told === undefined ? undefined : asSent(told, request);
  const named = row?.fields?.find((name) => fields.has(name));
  const template = row && nextOf(row, request);
  const next = template === undefined || template === request.call ? undefined : filled(template, request.known);
  return { field: own !== undefined && isFieldOf(own, fields) ? own : named, next };
};

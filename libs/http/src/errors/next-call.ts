import { type ErrorRow } from './error-row.js';
import { rowOfCode } from './error-codes.js';

/** The failed request, as needed for the headers `X-Error-Field` and `X-Error-Next`. */
export interface FailedRequest {
  /** `POST /wallets/{wallet_name}/unlock`, as in the endpoint's description. */
  readonly call: string;
  /** Names of its parameters and of the fields of its body. */
  readonly fields: ReadonlySet<string>;
  /** Values for the braces of a next call, e.g. path parameters. Only values named in the table are returned. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** `wallets` of `POST /wallets/{wallet_name}/unlock` */
const areaOf = (call: string): string => call.split('/', 2)[1] ?? '';

const nextOf = ({ next, nextNeeds, nextWith = {} }: ErrorRow, { call, known }: FailedRequest): string | undefined => {
  const [, special] = Object.entries(nextWith).find(([fact]) => known[fact] !== undefined) ?? [];
  if (special !== undefined) return special;
  if (nextNeeds !== undefined && known[nextNeeds] === undefined) return undefined;
  return typeof next === 'object' ? (next[call] ?? next[areaOf(call)] ?? next.otherwise) : next;
};

/** Longest value of a brace in characters, as in a path. */
const longestFilling = 8_192;

/** Requests may hold any text: a lone surrogate cannot be encoded in a path. */
const isFilling = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= longestFilling && !/\p{Surrogate}/u.test(value);

/** Undefined if a brace has no value: the client could not make that call. */
const filled = (template: string, known: FailedRequest['known']): string | undefined => {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (!names.every((name) => isFilling(known[name]))) return undefined;
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(known[name] as string));
};

/** `destinations[0].address` is a field of a request that has `destinations`. */
const isFieldOf = (field: string, fields: ReadonlySet<string>): boolean => fields.has(field.split(/[.[]/, 1)[0]!);

/** `destinations[1]` of a request; undefined if missing. */
const elementAt = (known: FailedRequest['known'], path: string): unknown =>
  path
    .split(/[.[\]]+/)
    .filter((name) => name !== '')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], known);

/** A destination may use either name of its amount (protocol 07 §1.7). Returns the one in the request. */
const asSent = (field: string, { known }: FailedRequest): string => {
  const end = '.attoCoinAmount';
  if (!field.endsWith(end)) return field;
  const place = field.slice(0, -end.length);
  const element = elementAt(known, place) as { readonly amount?: unknown } | null | undefined;
  return element?.amount === undefined ? field : `${place}.amount`;
};

/**
 * The wrong field, by its name in the code, and the next call. `reported` is the field that the error names; if a service
 * uses another name, the table has the one of the request. Never returns the failed call itself.
 */
export const lessonOf = (
  code: string,
  request: FailedRequest,
  reported?: string,
): { readonly field?: string | undefined; readonly next?: string | undefined } => {
  const { fields } = request;
  const row = rowOfCode(code);
  const own = reported === undefined ? undefined : asSent(reported, request);
  const named = row?.fields?.find((name) => fields.has(name));
  const template = row && nextOf(row, request);
  const next = template === undefined || template === request.call ? undefined : filled(template, request.known);
  return { field: own !== undefined && isFieldOf(own, fields) ? own : named, next };
};

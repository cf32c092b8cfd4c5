import { developmentValues } from '@shardnode/http';
import { type KnownValues } from './generated-ledger.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content?: object; readonly headers?: object }>>;
}

/** The OpenAPI document, as far as requests need it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface PlannedRequest {
  readonly operation: string;
  readonly path: string;
  readonly method: string;
  readonly body?: string;
  /** Whether `X-Next-Cursor` of its answer leads on. */
  readonly hasCursor: boolean;
}

/** A value for each parameter: the known one of this turn, else the example of the document. */
const valueOf = ({ name, example }: Parameter, known: KnownValues, turn: number): string => {
  const values = known[name];
  return encodeURIComponent(values ? values[turn % values.length]! : String(example));
};

const bodyOf = (path: string, known: KnownValues): string => {
  if (path.endsWith('/nft-collection-metadata')) return JSON.stringify(known['contract_address']);
  if (path.startsWith('/addresses')) return JSON.stringify(known['address']);
  if (path.startsWith('/blocks')) return JSON.stringify(known['block_hash']);
  if (path.startsWith('/tokens')) return JSON.stringify(known['token_id']);
  if (path.endsWith('/decode-unsigned-tx')) return JSON.stringify({ unsignedTx: developmentValues.payment.unsignedTx });
  throw new Error(`no body is known for ${path}`);
};

const filled = (path: string, parameters: readonly Parameter[], known: KnownValues, turn: number): string => {
  const of = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const named = of('path').reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, valueOf(parameter, known, turn)),
    path,
  );
  const query = of('query').map((parameter) => `${parameter.name}=${valueOf(parameter, known, turn)}`);
  return query.length === 0 ? named : `${named}?${query.join('&')}`;
};

/** Turns in which all values of parameters have their part. */
const turnsOf = (parameters: readonly Parameter[], known: KnownValues): number =>
  Math.max(1, ...parameters.map(({ name }) => known[name]?.length ?? 1));

/**
 * Requests of every operation of the document, with the required parameters alone and with each optional one beside
 * them that has a known value. A stream has no end, and no statement of its own; the state of a contract and the reason of
 * a failed script come from group-nodes.
 */
export const everyRequest = ({ paths }: ApiDocument, known: KnownValues): PlannedRequest[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, responses }]) => {
      const isStream = 'text/event-stream' in (responses['200']?.content ?? {});
      if (isStream || /\/(state|script-failure)$/.test(path)) return [];
      const required = parameters.filter((parameter) => parameter.required);
      const optional = parameters.filter(({ name, required: isRequired }) => !isRequired && known[name]);
      const choices = [required, ...optional.map((parameter) => [...required, parameter])];
      return choices.flatMap((chosen) =>
        Array.from({ length: turnsOf(chosen, known) }, (_, turn) => ({
          operation: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path: filled(path, chosen, known, turn),
          ...(requestBody ? { body: bodyOf(path, known) } : {}),
          hasCursor: 'X-Next-Cursor' in (responses['200']?.headers ?? {}),
        })),
      );
    }),
  );

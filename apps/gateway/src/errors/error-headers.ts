import { type FastifyRequest } from 'fastify';
import { errorHeaders, type ErrorHeaders, headersOf } from '@shardnode/core/http-server';
import { type Brand, brandedText, lessonOf } from '@shardnode/http';
import { type CompiledNames } from '../contracts/compiling/compiled-names.js';
import { operationOf } from '../operations/operation.js';

const fieldHeader = errorHeaders.field.name.toLowerCase();
const walletAdviceHeader = errorHeaders.walletAdvice.name.toLowerCase();

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** `POST /wallets/{wallet_name}/unlock` */
const callOf = ({ method, routeOptions: { url } }: FastifyRequest): string =>
  `${method} ${url?.replaceAll(/:(\w+)/g, '{$1}')}`;

/**
 * Headers of the errors of operations: the wrong field of the request and the next call, from the table of errors; of a
 * contract that failed, the names in its source.
 */
export const operationErrorHeaders =
  (brand: Brand, names: Pick<CompiledNames, 'ofFailure'>): ErrorHeaders =>
  (body, request, headers) => {
    const operation = operationOf(request);
    if (!operation) return headers;
    const { [fieldHeader]: named, [walletAdviceHeader]: advice, ...others } = headers;
    const sent = [request.body, request.query, request.params].map(asObject);
    const known: Readonly<Record<string, unknown>> = Object.assign({}, ...sent, body);
    const { field, next } = lessonOf(
      String(body.code),
      { call: callOf(request), fields: operation.fields, known },
      named,
    );
    const branded = (text: string | undefined) => (text === undefined ? undefined : brandedText(text, brand));
    const found = { field: branded(field), walletAdvice: branded(advice), next };
    return { ...others, ...headersOf({ ...found, ...names.ofFailure(body) }) };
  };

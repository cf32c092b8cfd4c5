import { type ErrorBody } from '@shardnode/core/http-server';
import { brandedText, type Brand } from '../brand/brand.js';

/**
 * Bodies of errors as the document gives them (protocol 07 §1.9): `detail`, for something that is not there `resource`
 * before it, and for a transaction whose output is spent the id of the one that spends it (00-decisions, 23). The request
 * id travels in the header `X-Request-Id`, the error's name in `X-Error-Code`.
 */
export const documentedErrorBody =
  (brand: Brand): ErrorBody =>
  ({ resource, detail, conflictingTxId }) => ({
    ...(resource === undefined ? {} : { resource }),
    detail: brandedText(String(detail), brand),
    ...(conflictingTxId === undefined ? {} : { conflictingTxId }),
  });

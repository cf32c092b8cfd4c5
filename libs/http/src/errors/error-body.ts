import { type ErrorBody } from '@shardnode/core/http-server';
import { brandedText, type Brand } from '../brand/brand.js';

/**
 * Bodies of errors as the document gives them (protocol 07 §1.9): `detail`, and for something that is not there `resource`
 * before it. All else that is known travels in headers (`errorHeaders`, `X-Request-Id`).
 */
export const documentedErrorBody =
  (brand: Brand): ErrorBody =>
  ({ resource, detail }) => ({
    ...(resource === undefined ? {} : { resource }),
    detail: brandedText(String(detail), brand),
  });

import { type ErrorBody } from '@shardnode/core/http-server';
import { brandedText, type Brand } from '../brand/brand.js';
import { documentedText } from './documented-texts/index.js';

/** Whose words errors have: our own, or those that existing clients match (protocol 07 §1.10, §8.4, §16.11). */
export type ErrorTexts = 'own' | 'documented';

/**
 * Bodies of errors as the document gives them (protocol 07 §1.9): `detail`, and for something that is not there `resource`
 * before it. All else that is known travels in headers (`errorHeaders`, `X-Request-Id`).
 */
export const documentedErrorBody =
  (brand: Brand, texts: ErrorTexts): ErrorBody =>
  ({ resource, detail, code, ...facts }) => {
    const documented = texts === 'documented' ? documentedText(String(code), facts) : undefined;
    return {
      ...(resource === undefined ? {} : { resource }),
      detail: brandedText(documented ?? String(detail), brand),
    };
  };

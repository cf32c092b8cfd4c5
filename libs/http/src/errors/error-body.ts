import { type ErrorBody } from '@shardnode/core/http-server';
import { brandedText, type Brand } from '../brand/brand.js';
import { type ErrorFacts } from './documented-texts/documented-text.js';
import { rowOfCode } from './error-codes.js';
import { documentedText } from './documented-texts/index.js';

/** Source of error texts: our own, or those that existing clients match (protocol 07 §1.10, §8.4, §16.11). */
export type ErrorTexts = 'own' | 'documented';

/** Suffix for a sweep of a wallet that sent nothing: the addresses and reasons. Our own text contains it already. */
const ofSweep = ({ skipped }: ErrorFacts): string => (skipped === undefined ? '' : `; ${String(skipped)}`);

/**
 * Error bodies of the protocol (07 §1.9): `detail`, and for a missing resource `resource` before it. Further data is in
 * headers (`errorHeaders`, `X-Request-Id`).
 */
export const documentedErrorBody =
  (brand: Brand, texts: ErrorTexts): ErrorBody =>
  ({ resource, detail, code, ...facts }) => {
    const documented = texts === 'documented' ? documentedText(String(code), { resource, ...facts }) : undefined;
    const text = documented === undefined ? String(detail) : `${documented}${ofSweep(facts)}`;
    return {
      ...(resource === undefined ? {} : { resource }),
      detail: rowOfCode(String(code))?.isQuoted === true ? text : brandedText(text, brand),
    };
  };

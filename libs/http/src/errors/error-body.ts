import { type ErrorBody } from '@shardnode/core/http-server';
import { brandedText, type Brand } from '../brand/brand.js';
import { type ErrorFacts } from './documented-texts/documented-text.js';
import { documentedText } from './documented-texts/index.js';

/** Whose words errors have: our own, or those that existing clients match (protocol 07 §1.10, §8.4, §16.11). */
export type ErrorTexts = 'own' | 'documented';

/** The sweep of a wallet that stops says how far it has come; its own text has that already. */
const ofSweep = ({ submitted }: ErrorFacts): string =>
  submitted === undefined ? '' : `; transactions of this sweep submitted before: ${String(submitted)}`;

/**
 * Bodies of errors as the document gives them (protocol 07 §1.9): `detail`, and for something that is not there `resource`
 * before it. All else that is known travels in headers (`errorHeaders`, `X-Request-Id`).
 */
export const documentedErrorBody =
  (brand: Brand, texts: ErrorTexts): ErrorBody =>
  ({ resource, detail, code, ...facts }) => {
    const documented = texts === 'documented' ? documentedText(String(code), { resource, ...facts }) : undefined;
    const text = documented === undefined ? String(detail) : `${documented}${ofSweep(facts)}`;
    return {
      ...(resource === undefined ? {} : { resource }),
      detail: brandedText(text, brand),
    };
  };

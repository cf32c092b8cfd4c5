import { createHash, timingSafeEqual } from 'node:crypto';
import { errorOf } from '@shardnode/http';
import { apiKeyMinLength } from './configuration.js';

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** Whether a header is the configured key, in a time that does not tell the key. */
export const createApiKeyTest = (configured: string | undefined): ((sent: unknown) => boolean) => {
  const expected = configured === undefined ? undefined : digest(configured);
  return (sent) => expected !== undefined && typeof sent === 'string' && timingSafeEqual(expected, digest(sent));
};

/** The check of the header `X-API-KEY` (protocol 07 §1.12), in a time that does not tell the key. */
export const createApiKeyCheck = (configured: string | undefined) => {
  const isRight = createApiKeyTest(configured);
  return (sent: string | readonly string[] | undefined): void => {
    if (sent === undefined) {
      if (configured !== undefined) throw errorOf('MissingApiKey', 'Missing api key');
      return;
    }
    if (typeof sent !== 'string' || sent.length < apiKeyMinLength) {
      throw errorOf(
        'InvalidApiKey',
        `Invalid value for: header X-API-KEY (Api key must have at least ${apiKeyMinLength} characters)`,
      );
    }
    if (configured === undefined) throw errorOf('ApiKeyNotConfigured', 'Api key not configured in server');
    if (!isRight(sent)) throw errorOf('WrongApiKey', 'Wrong api key');
  };
};

/** Whether the check would let a request pass, without the reason why not. */
export const createApiKeyPass = (configured: string | undefined): ((sent: unknown) => boolean) =>
  configured === undefined ? (sent) => sent === undefined : createApiKeyTest(configured);

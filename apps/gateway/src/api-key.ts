import { createHash, timingSafeEqual } from 'node:crypto';
import { errorOf } from '@shardnode/http';
import { apiKeyMinLength } from './configuration.js';

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** The check of the header `X-API-KEY` (protocol 07 §1.12), in a time that does not tell the key. */
export const createApiKeyCheck = (configured: string | undefined) => {
  const expected = configured === undefined ? undefined : digest(configured);
  return (sent: string | readonly string[] | undefined): void => {
    if (sent === undefined) {
      if (expected) throw errorOf('MissingApiKey', 'Missing api key');
      return;
    }
    if (typeof sent !== 'string' || sent.length < apiKeyMinLength) {
      throw errorOf(
        'InvalidApiKey',
        `Invalid value for: header X-API-KEY (Api key must have at least ${apiKeyMinLength} characters)`,
      );
    }
    if (!expected) throw errorOf('ApiKeyNotConfigured', 'Api key not configured in server');
    if (!timingSafeEqual(expected, digest(sent))) throw errorOf('WrongApiKey', 'Wrong api key');
  };
};

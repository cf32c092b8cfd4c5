import { createHash, timingSafeEqual } from 'node:crypto';
import { type SecretReader } from '@shardnode/core/configuration';
import { errorOf } from '@shardnode/http';
import { apiKeyMinLength } from './configuration.js';

/** The key of the clients. A function is asked now and then: its file may have got a new one. */
export type ApiKey = string | SecretReader;

/** Milliseconds after which a new key in the file counts, and the old one does not any more. */
const readAgainAfter = 1_000;

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** Whether a header is the configured key, in a time that does not tell the key. */
export const createApiKeyTest = (configured: ApiKey | undefined): ((sent: unknown) => boolean) => {
  const expected = digestOf(configured);
  return (sent) => {
    const wanted = expected();
    return wanted !== undefined && typeof sent === 'string' && timingSafeEqual(wanted, digest(sent));
  };
};

const digestOf = (configured: ApiKey | undefined): (() => Uint8Array | undefined) => {
  const read = typeof configured === 'function' ? configured : () => configured;
  const readDigest = (): Uint8Array | undefined => {
    const key = read();
    // A file with less than a key is somebody's mistake: it lets nobody in.
    const isMistake = typeof configured === 'function' && key !== undefined && key.length < apiKeyMinLength;
    return key === undefined || isMistake ? undefined : digest(key);
  };
  let known = readDigest();
  if (typeof configured !== 'function') return () => known;
  let readAt = performance.now();
  return () => {
    const now = performance.now();
    if (now - readAt < readAgainAfter) return known;
    readAt = now;
    return (known = readDigest());
  };
};

/** The check of the header `X-API-KEY` (protocol 07 §1.12), in a time that does not tell the key. */
export const createApiKeyCheck = (configured: ApiKey | undefined) => {
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
export const createApiKeyPass = (configured: ApiKey | undefined): ((sent: unknown) => boolean) =>
  configured === undefined ? (sent) => sent === undefined : createApiKeyTest(configured);

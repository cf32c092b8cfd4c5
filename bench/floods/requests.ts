import { type HostileRequest } from './flooding-client.js';

export const get = (path: string, headers: Readonly<Record<string, string>> = {}): HostileRequest => ({
  method: 'GET',
  path,
  headers,
});

export const post = (path: string, body: unknown, method = 'POST'): HostileRequest => ({
  method,
  path,
  body: JSON.stringify(body),
});

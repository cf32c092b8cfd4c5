import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

/** The documentation page: its own files only, in no frame of another page. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const rules: readonly { readonly path: RegExp; readonly headers: Readonly<Record<string, string>> }[] = [
  // Addresses and balances of a person, and a mnemonic when a wallet is made.
  { path: /^\/wallets(\/|$)/, headers: { 'cache-control': 'no-store' } },
  {
    path: /^\/docs(\/|$)/,
    headers: { 'content-security-policy': pagePolicy, 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' },
  },
];

/**
 * Headers that tell browsers and caches what they must not do with answers, beside `X-Content-Type-Options`, which every
 * answer has. To be called before the routes are made: others than these pay nothing for it.
 */
export const addSecurityHeaders = (instance: FastifyInstance): void => {
  instance.addHook('onRoute', (route) => {
    const headers = rules.find(({ path }) => path.test(route.url))?.headers;
    if (!headers) return;
    const setHeaders = (_request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      reply.headers(headers);
      done();
    };
    route.onRequest = [setHeaders, ...[route.onRequest ?? []].flat()];
  });
};

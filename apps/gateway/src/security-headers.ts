import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { docsPageHeaders } from '@shardnode/http/docs';

const rules: readonly { readonly path: RegExp; readonly headers: Readonly<Record<string, string>> }[] = [
  // Responses contain addresses and balances of a person, and a mnemonic when a wallet is created.
  { path: /^\/wallets(\/|$)/, headers: { 'cache-control': 'no-store' } },
  { path: /^\/docs(\/|$)/, headers: docsPageHeaders },
];

/**
 * Headers that restrict browsers and caches, beside `X-Content-Type-Options`, which every response has. Call it before
 * the routes are registered: other routes have no cost.
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

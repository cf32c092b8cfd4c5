import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isNavigation, navigationHeaders, sendFile, varyBy } from '@shardnode/http/docs';
import { pageAt } from '@shardnode/http/page-paths';
import { notFound } from '../errors.js';
import { PageFiles } from './page-files.js';
import { type PageStart } from './page-state.js';

/** Restrict browsers (protocol 08 §9). */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'; base-uri 'self'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const;
const pageType = 'text/html; charset=utf-8';

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!;
const isFile = (path: string): boolean => path.startsWith('/assets/');

/** Whether browsers get a page whatever the API answers. */
const isOfPage = (request: FastifyRequest): boolean => {
  const path = pathOf(request);
  return pageAt(path) !== undefined || (request.is404 && !isFile(path));
};

/** Whether an answer says that the path leads nowhere: no such method, nothing of this name, or a name that cannot be. */
const leadsNowhere = ({ params }: FastifyRequest, reply: FastifyReply): boolean =>
  [404, 405].includes(reply.statusCode) ||
  (reply.statusCode === 400 && Object.hasOwn((params ?? {}) as object, String(reply.getHeader('x-error-field'))));

/**
 * The page at `/`, its files, and for browsers the page at each path that the table of pages knows, those of the API among
 * them, and at each path that leads nowhere (protocol 08 §8.2). Programs get the answers of the API. Call it before the
 * routes of the API are added.
 * @param start what the page at a path starts with
 */
export const addWebPage = (instance: FastifyInstance, start: (path: string) => Promise<PageStart>): void => {
  const files = PageFiles.open();
  if (files === undefined) return;

  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const path = pathOf(request);
    const html = files.page(path, await start(path));
    await reply.headers(pageHeaders).type(pageType).send(html);
  };
  instance.get('/', sendPage);
  instance.get<{ readonly Params: { readonly name: string } }>('/assets/:name', async (request, reply) => {
    const file = files.assets.get(request.params.name);
    if (file === undefined) throw notFound(pathOf(request));
    await sendFile(file, request, reply.headers(pageHeaders), 'immutable');
  });
  instance.addHook('onRequest', async (request, reply) => {
    if (!isOfPage(request)) return;
    varyBy(reply, ...navigationHeaders);
    if (isNavigation(request)) await sendPage(request, reply);
  });
  // Which other paths lead nowhere only their answers say.
  instance.addHook('onSend', async (request, reply, payload) => {
    const path = pathOf(request);
    if (isFile(path) || isOfPage(request) || !leadsNowhere(request, reply)) return payload;
    varyBy(reply, ...navigationHeaders);
    if (!isNavigation(request)) return payload;
    const html = files.page(path, await start(path));
    reply.code(200).headers(pageHeaders).type(pageType).removeHeader('content-length');
    return html;
  });
};

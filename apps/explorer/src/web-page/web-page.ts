import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { sendFile } from '@shardnode/http/docs';
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

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!;
const areaOf = (path: string): string => path.split('/')[1]!;
const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');

/**
 * The page at `/`, its files, and the page again at each path that is none of the API's, for clients that take HTML: the
 * script of the page knows its paths (protocol 08 §8.2). Call it before the routes of the API are added.
 * @param start what the page at a path starts with
 */
export const addWebPage = (instance: FastifyInstance, start: (path: string) => Promise<PageStart>): void => {
  const files = PageFiles.open();
  if (files === undefined) return;
  /** First parts of the paths of the API, whose answers are always JSON. */
  const areas = new Set<string>();
  instance.addHook('onRoute', ({ url }) => void areas.add(areaOf(url)));

  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const path = pathOf(request);
    const html = files.page(path, await start(path));
    await reply.headers(pageHeaders).type('text/html; charset=utf-8').send(html);
  };
  instance.get('/', sendPage);
  instance.get<{ readonly Params: { readonly name: string } }>('/assets/:name', async (request, reply) => {
    const file = files.assets.get(request.params.name);
    if (file === undefined) throw notFound(pathOf(request));
    await sendFile(file, request, reply.headers(pageHeaders), 'immutable');
  });
  instance.addHook('onRequest', async (request, reply) => {
    const isElsewhere = request.is404 && !areas.has(areaOf(pathOf(request)));
    if (isElsewhere && wantsPage(request)) await sendPage(request, reply);
  });
};

import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { docsPageHeaders, htmlText, isNavigation, navigationHeaders, type Places, varyBy } from '@shardnode/http/docs';
import { pageAt } from '@shardnode/http/page-paths';

/** Errors that a person gets who opens an address of the API by mistake, with their headings. */
const headings: Readonly<Record<number, string>> = {
  401: 'A key is needed here',
  403: 'Not from that page',
  404: 'Not found',
  405: 'Not for browsers',
};

const pathOf = (url: string): string => url.split('?', 1)[0]!;

/** How far up a path is from which the documentation is below, whatever prefix a proxy takes off. */
const baseOf = (path: string): string => `${'../'.repeat(path.split('/').length - 2) || './'}docs/`;

const detailOf = (payload: unknown): string => {
  const { detail } = JSON.parse(String(payload)) as { readonly detail?: unknown };
  return typeof detail === 'string' ? detail : '';
};

/** The answer of the API, and ways on: the page of the thing in the explorer, the documentation. */
const contentOf = (heading: string, detail: string, path: string, { explorer }: Places): string => {
  const thing = pageAt(path);
  const ways = [
    ...(explorer === undefined || thing === undefined || thing.path === ''
      ? []
      : [`<a href="${htmlText(explorer + thing.path)}">${htmlText(`/${thing.path}`)} in the explorer</a>`]),
    ...(explorer === undefined ? [] : [`<a href="${htmlText(explorer)}">The explorer</a>`]),
    '<a href="./">The operations of this API</a>',
    '<a href="../health/cluster">The state of the network</a>',
  ];
  return `<main id="docs" class="guide reading" tabindex="-1">
    <h1>${heading}</h1>
    <p>${htmlText(detail)}</p>
    <p>This is the API of a node, which is for programs. Pages for people:</p>
    <ul>${ways.map((way) => `<li>${way}</li>`).join('')}</ul>
  </main>`;
};

/** The page has a base, because it is shown at any path. */
const headers = {
  ...docsPageHeaders,
  'content-security-policy': docsPageHeaders['content-security-policy'].replace("base-uri 'none'", "base-uri 'self'"),
};

/**
 * Gives a person who opens an address of the API by mistake a page instead of JSON. Programs, and addresses that have data,
 * get what they got.
 * @param pageOf the frame around a content
 */
export const addLostPage = (
  instance: FastifyInstance,
  places: Places,
  pageOf: (content: string, base: string) => Promise<string>,
): void => {
  instance.addHook('onSend', (request: FastifyRequest, reply: FastifyReply, payload, done) => {
    const heading = headings[reply.statusCode];
    if (heading === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return done(null, payload);
    varyBy(reply, ...navigationHeaders);
    if (!isNavigation(request)) return done(null, payload);
    const path = pathOf(request.url);
    // Malformed escapes were mended for the router.
    const detail = detailOf(payload).replace(path, () => pathOf(request.originalUrl));
    reply.headers(headers).type('text/html; charset=utf-8').removeHeader('content-length');
    pageOf(contentOf(heading, detail, path, places), baseOf(path)).then(
      (page) => done(null, page),
      (error: unknown) => done(error as Error),
    );
  });
};

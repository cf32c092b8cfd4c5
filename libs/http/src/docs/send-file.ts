import { type FastifyReply, type FastifyRequest } from 'fastify';
import { acceptedEncoding, type ServedFile } from './served-file.js';

/** A year, in seconds. */
const immutable = 'public, max-age=31536000, immutable';

/** Adds names of request headers on which an answer depends. */
export const varyBy = (reply: FastifyReply, ...names: readonly string[]): void =>
  void reply.header('vary', [reply.getHeader('vary') ?? [], names].flat(2).join(', '));

/**
 * Compresses a file as the client accepts it. A file requested by its version never changes; others are revalidated.
 * @param kind `immutable`: the name of the file changes with its content
 */
export const sendFile = async (
  file: ServedFile,
  { headers, query }: FastifyRequest,
  reply: FastifyReply,
  kind: 'versioned' | 'immutable' = 'versioned',
): Promise<void> => {
  const encoding = acceptedEncoding(headers['accept-encoding'] as string | undefined);
  const etag = `"${file.version}-${encoding}"`;
  const isFixed = kind === 'immutable' || (query as { readonly v?: unknown }).v === file.version;
  varyBy(reply, 'accept-encoding');
  reply.headers({ etag, 'cache-control': isFixed ? immutable : 'no-cache' });
  if (headers['if-none-match'] === etag) {
    reply.code(304).send();
    return;
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  reply.type(file.mediaType).send(await file.in(encoding));
};

/**
 * Redirects the page without its slash, which relative addresses in it need. The place is relative, because a proxy may take
 * off a prefix of which the service does not know.
 */
export const redirectToSlash = ({ url }: FastifyRequest, reply: FastifyReply): void => {
  const [path = '', search] = url.split('?', 2);
  const location = `${path.slice(path.lastIndexOf('/') + 1)}/${search === undefined ? '' : `?${search}`}`;
  reply.code(308).header('location', location).type('application/json').send(JSON.stringify({ location }));
};

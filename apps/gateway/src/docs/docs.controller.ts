import { Controller, Get, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiDescription } from './api-description.js';
import { DocsFiles, type FileName, fileNames } from './docs-files.js';
import { acceptedEncoding, type ServedFile } from './served-file.js';

const pagePath = '/docs/';

/** For a client that knows only the address: a browser is redirected to the page, a program reads the addresses. */
const places = { docs: pagePath, openapi: '/docs/openapi.json', health: '/health/cluster' };

/** `/`, without a key. */
@Controller()
export class PlacesController {
  @Get()
  places(@Res() reply: FastifyReply): void {
    reply.code(302).header('location', pagePath).type('application/json').send(JSON.stringify(places));
  }
}

/** A year, in seconds. */
const immutable = 'public, max-age=31536000, immutable';

/** The page, the OpenAPI document and their files; without a key (protocol 07 §1.15). */
@Controller('docs')
export class DocsController {
  constructor(
    private readonly files: DocsFiles,
    private readonly description: ApiDescription,
  ) {}

  @Get()
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [path, search] = request.url.split('?', 2);
    if (path === pagePath) return this.send(await this.files.page('index.html'), request, reply);
    // Relative addresses in the page need the slash.
    const location = `${pagePath}${search === undefined ? '' : `?${search}`}`;
    reply.code(308).header('location', location).type('application/json').send(JSON.stringify({ location }));
  }

  @Get('openapi.json')
  openapi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(this.description.current(), request, reply);
  }

  @Get(['exchange', 'errors'])
  async guide(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(await this.files.page('guide.html'), request, reply);
  }

  @Get([...fileNames])
  async file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const name = request.routeOptions.url!.slice(pagePath.length) as FileName;
    return this.send(await this.files.file(name), request, reply);
  }

  /**
   * Compresses the file as the client accepts it. A file requested by its version never changes; others are
   * revalidated.
   */
  private async send(file: ServedFile, { headers, query }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const encoding = acceptedEncoding(headers['accept-encoding'] as string | undefined);
    const etag = `"${file.version}-${encoding}"`;
    const isVersioned = (query as { readonly v?: unknown }).v === file.version;
    const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ');
    reply.headers({ etag, vary, 'cache-control': isVersioned ? immutable : 'no-cache' });
    if (headers['if-none-match'] === etag) {
      reply.code(304).send();
      return;
    }
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    reply.type(file.mediaType).send(await file.in(encoding));
  }
}

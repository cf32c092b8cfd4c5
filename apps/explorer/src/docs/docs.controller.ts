import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Json } from '@shardnode/http';
import {
  DocsFiles,
  docsFileNames,
  type DocsFrame,
  docsPageHeaders,
  placesOfExplorer,
  redirectToSlash,
  sendFile,
  ServedFile,
} from '@shardnode/http/docs';
import { ExplorerSettings } from '../settings.js';

/** Injection token of a function that makes the OpenAPI document. */
export const describeApi = Symbol('describeApi');

const pagePath = '/docs/';

/** The page of operations, the OpenAPI document and their files (protocol 08 §5.13). */
@Controller('docs')
export class DocsController {
  private readonly files: DocsFiles;
  private description: ServedFile | undefined;

  constructor(
    @Inject(describeApi) private readonly describe: () => Json,
    { nodeApiUrl }: ExplorerSettings,
  ) {
    const frame: DocsFrame = {
      title: 'Shardnode Explorer API',
      here: 'explorerApi',
      places: placesOfExplorer(nodeApiUrl),
      links: [['openapi.json', 'OpenAPI']],
      searches: 'balance, tokens, /blocks …',
    };
    this.files = new DocsFiles(frame, {});
  }

  @Get()
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.url.split('?', 1)[0] !== pagePath) return redirectToSlash(request, reply);
    return this.send(await this.files.operations(), request, reply);
  }

  @Get('openapi.json')
  openapi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.description ??= new ServedFile('application/json', Buffer.from(JSON.stringify(this.describe(), undefined, 2)));
    return this.send(this.description, request, reply);
  }

  @Get([...docsFileNames])
  async file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const name = request.routeOptions.url!.slice(pagePath.length);
    return this.send(await this.files.file(name), request, reply);
  }

  private send(file: ServedFile, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers(docsPageHeaders);
    return sendFile(file, request, reply);
  }
}

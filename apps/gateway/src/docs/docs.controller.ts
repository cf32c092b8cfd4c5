import { Controller, Get, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { redirectToSlash, sendFile } from '@shardnode/http/docs';
import { LinkedPage } from '../access/route-openness.js';
import { ApiDescription } from './api-description.js';
import { fileNames, GatewayDocs } from './gateway-docs.js';

const pagePath = '/docs/';

/** For a client that knows only the address: a browser is redirected to the page, a program reads the addresses. */
const places = { docs: pagePath, openapi: '/docs/openapi.json', health: '/health/cluster' };

/** `/`, without a key. */
@Controller()
export class PlacesController {
  @Get()
  places(@Res() reply: FastifyReply): void {
    reply.code(302).header('location', 'docs/').type('application/json').send(JSON.stringify(places));
  }
}

/** The page, the OpenAPI document and their files; without a key (protocol 07 §1.15). */
@Controller('docs')
export class DocsController {
  constructor(
    private readonly files: GatewayDocs,
    private readonly description: ApiDescription,
  ) {}

  @LinkedPage()
  @Get()
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.url.split('?', 1)[0] !== pagePath) return redirectToSlash(request, reply);
    return sendFile(await this.files.operations(), request, reply);
  }

  @Get('openapi.json')
  openapi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return sendFile(this.description.current(), request, reply);
  }

  @LinkedPage()
  @Get(['exchange', 'errors'])
  async guide(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return sendFile(await this.files.page('guide.html'), request, reply);
  }

  @Get([...fileNames])
  async file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const name = request.routeOptions.url!.slice(pagePath.length);
    return sendFile(await this.files.file(name), request, reply);
  }
}

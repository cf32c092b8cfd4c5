import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { clusterPage, clusterPagePolicy } from './cluster-page.js';
import { ClusterViews, type ClusterView } from './cluster-view.js';

/** All services in one view, without a key, like the other operations routes. */
@Controller('health/cluster')
export class ClusterController {
  constructor(private readonly views: ClusterViews) {}

  /**
   * Status 200 also when something is not ready, because the request succeeded (`/health/ready` is for probes). A
   * browser gets a page.
   */
  @Get()
  @Header('cache-control', 'no-store')
  @Header('vary', 'accept')
  async cluster(
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClusterView | string> {
    const view = await this.views.current();
    if (!accept?.includes('text/html')) return view;
    reply.header('content-security-policy', clusterPagePolicy).type('text/html; charset=utf-8');
    return clusterPage(view);
  }
}

import { type FastifyInstance } from 'fastify';
import { clusterPage, clusterPagePolicy } from './cluster-page.js';
import { type ClusterView } from './cluster-view.js';

/**
 * `GET /health/cluster`: all services in one view, without a key, like the other operations routes; 200 also when something is not
 * ready, because the question was answered (`/health/ready` is for probes). A browser gets a page.
 */
export const addClusterRoutes = (instance: FastifyInstance, view: () => Promise<ClusterView>): void => {
  instance.get('/health/cluster', async ({ headers }, reply) => {
    const seen = await view();
    reply.header('cache-control', 'no-store').header('vary', 'accept');
    if (!headers.accept?.includes('text/html')) return reply.send(seen);
    return reply
      .header('content-security-policy', clusterPagePolicy)
      .type('text/html; charset=utf-8')
      .send(clusterPage(seen));
  });
};

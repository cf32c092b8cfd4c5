import { RouteConfig } from '@nestjs/platform-fastify';
import { type RouteOpenness } from '@shardnode/core/http-server';
import { operationOfRoute } from '../operations/operation.js';

/** Declares a page that any site may link to: it shows nothing private, and opening it does nothing. */
export const LinkedPage = (): MethodDecorator => RouteConfig({ isLinkedPage: true });

/**
 * Which requests of other sites' pages a route answers (protocol 07 §1.14): `*` in `CORS_ORIGINS` counts for what every key
 * may call, and for what needs no key; health and metrics are nobody's, whatever is said here.
 */
export const opennessOf = (config: unknown): RouteOpenness => ({
  toAnyOrigin: (operationOfRoute(config)?.role ?? 'read') === 'read',
  toLinks: (config as { readonly isLinkedPage?: boolean } | undefined)?.isLinkedPage === true,
});

import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { explorerError, notFound } from '../errors.js';
import { ExplorerSettings } from '../settings.js';

/** Digests have one length, and say nothing of the texts by the time of their comparison. */
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/**
 * Lets requests through that have the token of operators (protocol 08 §5.13).
 * @throws ServiceError `NotFound` without a configured token; `Unauthorized`
 */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly settings: ExplorerSettings) {}

  canActivate(context: ExecutionContext): boolean {
    const { url, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const token = this.settings.adminToken();
    if (token === undefined) throw notFound(url.split('?', 1)[0]!);
    const sent = headers.authorization ?? '';
    if (timingSafeEqual(digest(sent), digest(`Bearer ${token}`))) return true;
    context.switchToHttp().getResponse<FastifyReply>().header('www-authenticate', 'Bearer');
    throw explorerError('Unauthorized', 'The header Authorization must be `Bearer` and the token of operators');
  }
}

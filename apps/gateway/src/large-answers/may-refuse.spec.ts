import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { type AnswerPermits, holdUnannounced } from '@shardnode/http/large-answers';
import { mayRefuse } from './may-refuse.js';

const large = 'a'.repeat(1024 * 1024 + 1);
const operation = (role: string) => ({ operation: { role, fields: new Set() } });

describe('an answer that turned out to be large', () => {
  let instance: FastifyInstance;
  /** URLs of the answers that asked for a permit. */
  let held: string[];
  beforeEach(() => {
    held = [];
    instance = fastify();
    const permits = {
      holds: ({ request }: FastifyReply) => request.url === '/announced',
      hold: async ({ request }: FastifyReply) => {
        held.push(request.url);
        return { proceed: () => undefined };
      },
    } as unknown as AnswerPermits;
    holdUnannounced(instance, permits, mayRefuse);
  });
  afterEach(() => instance.close());

  interface Case {
    readonly what: string;
    readonly method: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    readonly config: object;
    readonly holds?: boolean;
    readonly answer?: string;
  }

  it.each<Case>([
    { what: 'a read by GET', method: 'GET', url: '/read', config: operation('read'), holds: true },
    { what: 'a read of wallets', method: 'GET', url: '/wallets', config: operation('wallets'), holds: true },
    { what: 'a read by POST', method: 'POST', url: '/build', config: operation('read'), holds: true },
    { what: 'an operation that changed a wallet', method: 'POST', url: '/sweep', config: operation('wallets') },
    { what: 'an operation that changed the node', method: 'PUT', url: '/change', config: operation('operate') },
    { what: 'an answer that has its permit', method: 'GET', url: '/announced', config: operation('read') },
    { what: 'a small answer', method: 'GET', url: '/small', config: operation('read'), answer: large.slice(1) },
    { what: 'a page', method: 'GET', url: '/docs', config: {} },
  ])('$what', async ({ method, url, config, holds = false, answer = large }) => {
    instance.route({ method, url, config, handler: async () => answer });
    expect((await instance.inject({ method, url })).body).toBe(answer);
    expect(held).toEqual(holds ? [url] : []);
  });
});

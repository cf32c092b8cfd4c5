import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { queueFull } from '@shardnode/messages';
import { admitSubmits } from './submit-admission.js';
import { type SubmitQueues } from './submit-queues.js';

describe('admission of submits', () => {
  let instance: FastifyInstance;
  let room = 0;
  let reading = 0;
  const bodies: unknown[] = [];
  const queues = {
    admit: () => {
      if (reading >= room) throw queueFull([0, 1], 1);
      reading += 1;
      return () => {
        reading -= 1;
      };
    },
  } as SubmitQueues;

  beforeEach(() => {
    bodies.length = reading = 0;
    room = 1;
    instance = fastify();
    instance.addHook('onRequest', ({ headers }, reply, done) => {
      if (headers['x-api-key'] === 'right') done();
      else void reply.code(401).send({});
    });
    admitSubmits(instance, queues);
    for (const url of ['/transactions/submit', '/multisig/submit', '/transactions/build'])
      instance.post(url, async ({ body }) => {
        bodies.push(body);
        return { reading };
      });
  });
  afterEach(() => instance.close());

  const post = async (url: string, key = 'right', payload = '{}') => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const { statusCode, body } = await instance.inject({ method: 'POST', url, headers, payload });
    return { statusCode, body: JSON.parse(body) as Record<string, unknown> };
  };

  it.each(['/transactions/submit', '/multisig/submit'])('%s is refused unread without capacity', async (url) => {
    expect(await post(url)).toEqual({ statusCode: 200, body: { reading: 0 } });
    room = 0;
    expect((await post(url)).body).toMatchObject({ code: 'QueueFull' });
    expect(bodies).toHaveLength(1);
  });

  it('ends with the body, also with one that is no JSON', async () => {
    for (const payload of ['{', '{}', 'x']) await post('/transactions/submit', 'right', payload);
    expect(reading).toBe(0);
    expect((await post('/transactions/submit')).statusCode).toBe(200);
  });

  it('does not apply to clients without the key, nor to other calls', async () => {
    room = 0;
    expect((await post('/transactions/submit', 'wrong')).statusCode).toBe(401);
    expect((await post('/transactions/build')).statusCode).toBe(200);
  });
});

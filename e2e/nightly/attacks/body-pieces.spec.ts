import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { besideAttack } from '../../kit/attacks/bystander.js';
import { describeNetwork } from '../../kit/deployment-under-test.js';
import { type Network, startNetwork } from '../../kit/network.js';

/** Bytes of a body that are sent before the client gives up, each in a chunk of its own. */
const bodyBytes = 8_000_000;
/** As many chunks of one byte as are written at once. */
const chunks = Buffer.from('1\r\n \r\n'.repeat(20_000));

/** Sends a body in chunks, until it is over or answered; the response. */
const sendChunks = async (baseUrl: string, path: string, body: Iterable<Buffer | string>): Promise<string> => {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let answer = '';
  let isOver = false;
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.on('close', () => (isOver = true)).on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (const piece of body) {
    if (answer !== '' || isOver) break;
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close'), pause(5_000)]);
  }
  for (let waited = 0; waited < 100 && answer === '' && !isOver; waited++) await pause(100);
  socket.destroy();
  return answer;
};

const crumbs = Array.from({ length: bodyBytes / 20_000 }, () => chunks);

describeNetwork('attack: a body in chunks of one byte', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.remove());

  it('takes no memory, and is refused', async () => {
    let answer = '';
    const effect = await besideAttack(network, 'crumbs', async () => {
      answer = await sendChunks(network.deployment.baseUrl, '/transactions/build', crumbs);
    });
    expect(effect.failed).toEqual([]);
    expect(effect.growth).toBeLessThan(150);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/pieces of less than 32 bytes on average/);
  });

  it('in pieces of some hundred bytes is served, however many they are', async () => {
    const piece = `c8\r\n${' '.repeat(200)}\r\n`;
    const body = JSON.stringify({ target: '1b032b55' });
    const end = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const answer = await sendChunks(network.deployment.baseUrl, '/utils/target-to-hashrate', [
      piece.repeat(3_000),
      end,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

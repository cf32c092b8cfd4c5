/**
 * The only way of Prometheus to the services of a Compose network: an HTTP proxy (`proxy_url` of observability/prometheus.yml)
 * that passes on GET http://HOST:PORT/metrics of the places in TARGETS, and nothing else. So whoever is in the container of
 * Prometheus or Grafana reaches neither the API, which asks for no key there, nor NATS, nor whatever else a service answers.
 */
import { createServer, get } from 'node:http';

const places = (process.env.TARGETS ?? '').split(',').filter((place) => place !== '');
const allowed = new Set(places.map((place) => `http://${place}/metrics`));

/** Milliseconds for a service to answer: as long as Prometheus waits. */
const patience = 5_000;

const answer = (response, status, text) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(text));

const passOn = (url, response) => {
  const asked = get(url, { timeout: patience }, (answered) => {
    const type = answered.headers['content-type'] ?? 'text/plain';
    response.writeHead(answered.statusCode, { 'content-type': type });
    answered.pipe(response);
    answered.once('error', () => response.destroy());
  });
  asked.once('timeout', () => asked.destroy(new Error('it does not answer')));
  asked.once('error', ({ message }) => {
    if (response.headersSent) response.destroy();
    else answer(response, 502, { detail: `${url}: ${message}` });
  });
  response.once('close', () => asked.destroy());
};

const server = createServer({ requestTimeout: patience, headersTimeout: patience }, ({ method, url }, response) => {
  if (method === 'GET' && allowed.has(url)) passOn(url, response);
  // docker/health.mjs asks it.
  else if (method === 'GET' && url === '/health/ready') answer(response, 200, { ready: true });
  else answer(response, 403, { detail: `Only GET of ${[...allowed].join(', ')} is passed on` });
});
// A tunnel (CONNECT) and a change of protocol would go past all this: without a listener the first is cut, the second is not made.
server.maxConnections = 64;
server.listen(Number(process.env.PORT), '0.0.0.0', () => console.log(`passes on ${[...allowed].join(', ')}`));

const stop = () => {
  server.close();
  server.closeAllConnections();
};
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stop);

import { describe, expect, it } from '@jest/globals';
import { createOriginJudge, defaultOpenness, type RouteOpenness } from './judge-origin.js';

const listed = ['https://wallet.example', 'http://localhost:*'];
const hostNames = ['gateway', 'node.example'];

/** The code of the refusal, or whom the answer lets read it; undefined: it says nothing of that. */
const judged = (
  origins: readonly string[],
  headers: Readonly<Record<string, string>>,
  openness: RouteOpenness = defaultOpenness,
  method = 'GET',
) => {
  const all = { host: '127.0.0.1:12973', ...headers };
  const { refusal, headers: answered } = createOriginJudge({ origins, hostNames })(
    { method, headers: all, rawHeaders: Object.entries(all).flat() },
    openness,
  );
  return refusal?.code ?? answered['access-control-allow-origin'];
};

describe('the origin of a request', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['https://wallet.example', listed, 'https://wallet.example'],
    ['http://localhost', listed, 'http://localhost'],
    ['http://localhost:5173', listed, 'http://localhost:5173'],
    ['http://127.0.0.1:12973', listed, undefined],
    ['http://127.0.0.1:1', listed, 'ForeignOrigin'],
    ['https://localhost:5173', listed, 'ForeignOrigin'],
    ['http://wallet.example', listed, 'ForeignOrigin'],
    ['https://wallet.example:8443', listed, 'ForeignOrigin'],
    ['https://wallet.example.evil.example', listed, 'ForeignOrigin'],
    ['http://localhost.evil.example:5173', listed, 'ForeignOrigin'],
    ['http://localhost:5173.evil.example', listed, 'ForeignOrigin'],
    ['http://localhost:*', listed, 'http://localhost:*'],
    ['null', listed, 'ForeignOrigin'],
    ['', listed, 'ForeignOrigin'],
    ['*', listed, 'ForeignOrigin'],
    ['*', ['*'], '*'],
    ['null', ['*'], '*'],
    ['https://evil.example', ['*'], '*'],
    ['https://evil.example', [], 'ForeignOrigin'],
  ])('%s, where %j may ask: %s', (origin, origins, outcome) => {
    expect(judged(origins, { origin })).toBe(outcome);
  });

  it.each<[string, readonly string[], string | undefined]>([
    ['none', [], undefined],
    ['same-origin', [], undefined],
    ['same-site', [], undefined],
    ['cross-site', listed, 'ForeignOrigin'],
    ['cross-site', ['*'], undefined],
  ])('is told by Sec-Fetch-Site: %s alone, where %j may ask: %s', (site, origins, outcome) => {
    expect(judged(origins, { 'sec-fetch-site': site })).toBe(outcome);
  });

  it.each([
    [false, 'ForeignOrigin'],
    [true, '*'],
  ])('of anybody (*), at a route open to any origin (%s): %s', (toAnyOrigin, outcome) => {
    const openness = { toAnyOrigin, toLinks: false };
    expect(judged(['*'], { origin: 'https://evil.example' }, openness)).toBe(outcome);
    expect(judged(['*'], { 'sec-fetch-site': 'cross-site' }, openness)).toBe(outcome === '*' ? undefined : outcome);
    // Listed beside the star, it is one of ours.
    const both = ['*', 'https://wallet.example'];
    const allowed = judged(both, { origin: 'https://wallet.example' }, openness);
    expect(allowed).toBe(outcome === '*' ? '*' : 'https://wallet.example');
  });

  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  it.each<[string, Record<string, string>, string | undefined]>([
    ['followed', link, undefined],
    ['in a frame', { ...link, 'sec-fetch-dest': 'iframe' }, 'ForeignOrigin'],
    ['of an object', { ...link, 'sec-fetch-dest': 'object' }, 'ForeignOrigin'],
    ['as a script', { ...link, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, 'ForeignOrigin'],
    ['by fetch', { ...link, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, 'ForeignOrigin'],
    ['without a destination', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'ForeignOrigin'],
    ['with an origin', { ...link, origin: 'https://evil.example' }, 'ForeignOrigin'],
    ['by a name of its own', { ...link, host: 'evil.example' }, 'ForeignHost'],
  ])('of a link to a page that takes links, %s', (_how, headers, outcome) => {
    const openness = { toAnyOrigin: true, toLinks: true };
    expect(judged(listed, headers, openness)).toBe(outcome);
    expect(judged(listed, headers, defaultOpenness)).toBe(outcome ?? 'ForeignOrigin');
    for (const method of ['POST', 'HEAD', 'OPTIONS'])
      expect(judged(listed, headers, openness, method)).toBe(outcome ?? 'ForeignOrigin');
  });
});

describe('the host of a request', () => {
  it.each([
    ['127.0.0.1', undefined],
    ['127.0.0.1:12973', undefined],
    ['203.0.113.9:80', undefined],
    ['[::1]:12973', undefined],
    ['[fd00::1]', undefined],
    ['localhost:12973', undefined],
    ['LocalHost', undefined],
    ['gateway:12973', undefined],
    ['node.example', undefined],
    ['Node.Example.:443', undefined],
    ['', undefined],
    ['evil.example', 'ForeignHost'],
    ['evil.example:12973', 'ForeignHost'],
    ['127.0.0.1.evil.example', 'ForeignHost'],
    ['localhost.evil.example', 'ForeignHost'],
    ['evil.node.example', 'ForeignHost'],
    ['[evil.example]', 'ForeignHost'],
    ['127.0.0.1@evil.example', 'ForeignHost'],
    ['127.0.0.1,evil.example', 'ForeignHost'],
  ])('%s: %s', (host, outcome) => {
    expect(judged(['*'], { host })).toBe(outcome);
  });

  it('none is that of an old client, two are no request', () => {
    const judge = createOriginJudge({ origins: [] });
    expect(judge({ headers: {}, rawHeaders: [] }, defaultOpenness).refusal).toBeUndefined();
    const rawHeaders = ['Host', 'localhost', 'accept', '*/*', 'HOST', 'localhost'];
    expect(judge({ headers: { host: 'localhost' }, rawHeaders }, defaultOpenness).refusal).toMatchObject({
      kind: 'invalid-request',
      code: 'MalformedRequest',
    });
  });

  it('of another name does not make the origin of the same name ours', () => {
    expect(judged([], { host: 'evil.example', origin: 'http://evil.example' })).toBe('ForeignHost');
    expect(judged([], { host: 'node.example', origin: 'https://node.example' })).toBeUndefined();
  });
});

it('an error repeats the beginning of a value only', () => {
  const judge = createOriginJudge({ origins: [] });
  const origin = `https://${'x'.repeat(10_000)}`;
  const texts = [{ origin }, { host: origin }].map(
    (headers) => judge({ headers, rawHeaders: [] }, defaultOpenness).refusal?.detail.length,
  );
  expect(texts.every((length) => length !== undefined && length < 300)).toBe(true);
});

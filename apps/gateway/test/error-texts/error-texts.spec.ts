import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { brandedText, errorCodes, neutralBrand, statusOfCode } from '@shardnode/http';
import { errorExamples } from '../../src/openapi/error-examples.js';
import { startFakeNetwork, type Answer, type FakeGateway, type FakeNetwork } from '../fakes/fake-network.js';
import { codesWithoutCase } from './codes-without-case.js';
import { type ErrorCase } from './error-case.js';

/** `building-cases.ts` and its neighbours: each exports `cases`. */
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('-cases.ts'));
const cases: ErrorCase[] = [];
// One after the other: Jest cannot link two modules at once that share a third.
for (const name of files) {
  const loaded = (await import(`./${name.replace(/ts$/, 'js')}`)) as { readonly cases: readonly ErrorCase[] };
  cases.push(...loaded.cases);
}

const nameOf = ({ code, when }: ErrorCase): string => (when === undefined ? code : `${code}: ${when}`);

/** Names of another implementation's insides, and bytes that nobody reads: more than a public key has. */
const strangeWords = /GasBox\(|GasPrice\(|Duration\(|KeyNotFound|TimeStamp\(|Some\(|\bNone\b|TokenId\(|[0-9a-fA-F]{67}/;

const send = ({ call }: ErrorCase, gateway: FakeGateway): Promise<Answer> =>
  typeof call === 'function' ? call(gateway) : gateway.send(...(call as [string, string]));

const saidBy = ({ status, headers, body }: Answer) => ({
  status,
  code: headers.get('x-error-code'),
  detail: (body as { detail?: unknown }).detail,
  field: headers.get('x-error-field') ?? undefined,
  next: headers.get('x-error-next') ?? undefined,
});

describe('texts of errors', () => {
  let network: FakeNetwork;
  let reference: FakeGateway;
  beforeAll(async () => {
    network = await startFakeNetwork();
    reference = await network.addGateway({ profile: 'reference' });
  });
  afterAll(() => network.stop());

  /** The gateway of the case, with the services of the case behind it. */
  const prepared = async (of: ErrorCase, profile: 'document' | 'reference'): Promise<FakeGateway> => {
    Object.assign(network.groups, of.groups);
    Object.assign(network.wallet, of.wallet);
    // The clock stands still: a minute of the limit of requests must not begin between two of them.
    if (of.gateway) return network.addGateway({ profile, ...of.gateway }, { clock: createStoppedClock() });
    return profile === 'document' ? network : reference;
  };

  it.each(cases.map((one) => [nameOf(one), one] as const))('%s', async (_name, one) => {
    const { code, detail, field, next } = one;
    const answer = await send(one, await prepared(one, 'document'));
    expect(saidBy(answer)).toEqual({ status: statusOfCode(code), code, detail, field, next });
    expect(answer.text.match(strangeWords)).toBeNull();
    expect(answer.headers.has('retry-after')).toBe([429, 503].includes(answer.status));
  });

  it.each(cases.filter(({ documented }) => documented !== 'not there').map((one) => [nameOf(one), one] as const))(
    '%s, in the words that existing clients match',
    async (_name, one) => {
      const { code, detail, documented = detail, field, next } = one;
      const answer = await send(one, await prepared(one, 'reference'));
      expect(saidBy(answer)).toEqual({ status: statusOfCode(code), code, detail: documented, field, next });
    },
  );

  it('each code has a case, or a reason why it has none', () => {
    const has = new Set<string>(cases.map(({ code }) => code));
    expect(Object.keys(errorCodes).filter((code) => !has.has(code) && !(code in codesWithoutCase))).toEqual([]);
    expect(Object.keys(codesWithoutCase).filter((code) => has.has(code))).toEqual([]);
  });

  it('the examples of the description are texts of cases', () => {
    const shown = Object.entries(errorExamples)
      .filter(([code]) => !(code in codesWithoutCase))
      .map(([code, { own, documented }]) => ({ code, detail: brandedText(own, neutralBrand), documented }));
    const isCase = ({ code, detail, documented }: (typeof shown)[number]): boolean =>
      cases.some(
        (one) =>
          one.code === code && one.detail === detail && (documented === undefined || one.documented === documented),
      );
    expect(shown.filter((example) => !isCase(example))).toEqual([]);
  });

  it('no two cases have one name', () => {
    expect(new Set(cases.map(nameOf)).size).toBe(cases.length);
  });
});

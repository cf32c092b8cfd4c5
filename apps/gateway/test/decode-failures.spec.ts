import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { developmentValues } from '@shardnode/http';
import { readTranscript, transcriptNames } from '@shardnode/testing/transcripts';
import { type FakeNetwork, startFakeNetwork } from './fakes/fake-network.js';

/** What the recordings have as variables, where only its form and its length count. */
const variables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    developmentValues.accounts.flatMap(({ publicKey, address }, i) => [
      [`pk${i}`, publicKey],
      [`addr${i}`, address],
    ]),
  ),
  idA: 'ab'.repeat(32),
  sigA: 'ab'.repeat(64),
};

/** Where ours differs for a reason, by the name of the exchange. */
const different: Readonly<Record<string, string>> = {
  'string instead of object': 'a text is no object without fields',
  'missing field, white space': 'offsets are those in the compact body',
  'two wrong query parameters: the first is named': 'groups are compared with the network after all were read',
  'missing name': 'a new password has two characters at least',
  'restore: missing fields': 'the name of a wallet may be left out',
  'restore without a name': 'a new password has two characters at least',
  'transfer with the name of the requirement': 'both names of an amount are read',
  'amount under the other name': 'both names of an amount are read',
};

interface Recorded {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string | number>>;
    readonly body?: unknown;
  };
  readonly reference: { readonly status: number; readonly body?: { readonly detail?: string } };
}

/**
 * Decode failures of the recordings whose values are leaves: numbers in place of texts, tagged objects and what is no JSON are
 * taken otherwise there (protocol 07 §1.5).
 */
const family =
  /Unable to decode|Invalid hex string|cannot decode|Expect (asset|contract) address|Invalid (group index|amount|Gas|U256)|For input string|expect positive|non-negative|greater than or equal|missing keys/;

const withValues = (text: string): string | undefined => {
  const known = text.replaceAll(/\$\{(\w+)\}/g, (all, name: string) => variables[name] ?? all);
  return known.includes('${') ? undefined : known;
};

const recorded = transcriptNames
  .filter((name) => !name.startsWith('3'))
  .flatMap((name) =>
    (readTranscript(name).exchanges as unknown as readonly Recorded[]).map((each) => ({
      ...each,
      name: `${name}: ${each.name}`,
    })),
  )
  .filter(({ name }) => different[name.slice(name.indexOf(': ') + 2)] === undefined)
  .flatMap(({ name, request, reference }) => {
    const detail = reference?.body?.detail;
    const query = new URLSearchParams(
      Object.entries(request.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
    ).toString();
    const target = withValues(`${request.path}${query === '' ? '' : `?${decodeURIComponent(query)}`}`);
    const body = request.body === undefined ? '' : withValues(JSON.stringify(request.body));
    if (!detail?.startsWith('Invalid value for: ') || !family.test(detail)) return [];
    return target === undefined || body === undefined ? [] : [{ name, method: request.method, target, body, detail }];
  });

let reference: FakeNetwork;
beforeAll(async () => {
  reference = await startFakeNetwork({
    profile: 'reference',
    brand: { coinName: 'Coin', coinSymbol: 'COIN' },
  });
});
afterAll(() => reference.stop());

it.each(recorded)('$name: $detail', async ({ method, target, body, detail }) => {
  const answer = await reference.send(method, target, body === '' ? undefined : (JSON.parse(body) as unknown));
  expect([answer.status, answer.body]).toEqual([400, { detail }]);
});

it('finds most of those recorded', () => expect(recorded.length).toBeGreaterThan(90));

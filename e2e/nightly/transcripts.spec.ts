import { beforeAll, expect, it } from '@jest/globals';
import {
  type Exchange,
  loadReplay,
  readTranscript,
  type Replay,
  type Transcript,
  transcriptNames,
} from '@shardnode/testing/transcripts';
import { deploymentKind, describeNetwork } from '../kit/deployment-under-test.js';
import { type Environment } from '../kit/child-process.js';
import { isLong, startNetwork } from '../kit/network.js';
import { type Adjudicated, adjudicated } from '../kit/adjudicated.js';

type Profile = 'document' | 'reference';

const isEmbedded = deploymentKind() !== 'cluster';

/** Profile `document` at full length alone: its own texts are compared where they are made. */
const profiles: readonly Profile[] = isLong && isEmbedded ? ['document', 'reference'] : ['reference'];

/** Waits for half a minute until wrong passwords are forgiven: the others are replayed meanwhile. */
const patient = '03-wallets';

/**
 * Conversations in which what is behind the gateway decides: what is refused, built, or said of a wallet. How answers are
 * shaped is the gateway's matter, which does not know what it talks to.
 */
const overProcesses = ['05-wallet-transfers', '11-transactions', '12-multisig'];

/** Which of them one run holds: most of the time goes into a fresh network for each. */
const isHeld = (name: string): boolean => isLong || isEmbedded || overProcesses.includes(name);

const conversations = profiles.flatMap((profile) =>
  transcriptNames.filter(isHeld).map((name) => [name, profile] as const),
);

const settingsOf = ({ variant, apiKey }: Transcript['network'], profile: Profile): Environment => ({
  API_PROFILE: profile,
  // The recordings have the neutral names in both profiles.
  COIN_NAME: 'Coin',
  COIN_SYMBOL: 'COIN',
  REPORTED_VERSION: 'v2.14.9',
  // The page of the recordings asks for wallets, too: `*` would not do.
  CORS_ORIGINS: 'http://a.example',
  ...(variant === 'no-auto-mine' ? { MINING: 'off' } : {}),
  ...(apiKey === undefined ? {} : { API_KEY: apiKey }),
});

const heldIn = (profile: Profile, name: string): readonly Adjudicated[] =>
  adjudicated.filter((one) => one.transcript === name && (one.profile ?? profile) === profile);

/** Whether it differs from the recording in each run; those that give an answer more time need not. */
const hasOtherAnswer = ({ expect: ours, sometimes = false }: Adjudicated): boolean => ours !== undefined && !sometimes;

/** Conversations in which we answer otherwise, in one profile of those in which it is so; in full length only. */
const withOtherAnswers = (isLong ? transcriptNames : []).flatMap((name) =>
  [...profiles]
    .reverse()
    .filter((profile) => heldIn(profile, name).some(hasOtherAnswer))
    .slice(0, 1)
    .map((profile) => [name, profile] as const),
);

/** The recorded words are those of profile `reference`; ours are compared where they are made. */
const inAnyWords = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inAnyWords);
  const members = Object.entries(value).map(([name, member]) => {
    const isText = typeof member === 'string' && (name === 'detail' || name === 'error');
    return [name, isText ? '{{text}}' : inAnyWords(member)] as const;
  });
  return Object.fromEntries(members);
};

interface Expectation {
  readonly profile?: Profile;
  readonly body?: unknown;
}

/** What is expected in profile `document` of an answer that tells why something is refused. */
const ownWords = ({ reference, ours }: Exchange, profile: Profile): Expectation | undefined => {
  if (profile === 'reference') return undefined;
  const holding = ([reference, ours].flat() as (Expectation | undefined)[]).filter(
    (one) => one !== undefined && 'body' in one && (one.profile ?? profile) === profile,
  );
  const recorded = holding.at(-1)?.body;
  const body = inAnyWords(recorded);
  return JSON.stringify(body) === JSON.stringify(recorded) ? undefined : { body };
};

/** In the form of the recordings: each lays its members over those before it. */
const expectationsOf = (exchange: Exchange, found: Adjudicated | undefined, profile: Profile): unknown[] => {
  const ours = found?.expect;
  const words = found?.profile === profile ? undefined : ownWords({ ...exchange, ours }, profile);
  return [exchange.ours, ownWords(exchange, profile), ours && { ...ours, ...words }].flat().filter(Boolean);
};

/** The recordings make wallets whose password is one letter, which we refuse (protocol 07 §3.1): it is sent twice. */
const withLongerPassword = (request: Exchange['request']): Exchange['request'] =>
  JSON.parse(JSON.stringify(request).replace(/(\\?"password\\?":\\?")(\w)(\\?")/g, '$1$2$2$3')) as Exchange['request'];

const withAdjudicated = (transcript: Transcript, profile: Profile): Transcript => {
  const held = heldIn(profile, transcript.name);
  const leftOut = new Set(held.flatMap(({ leavesOut = [] }) => leavesOut));
  return {
    ...transcript,
    exchanges: transcript.exchanges
      .filter(({ step }) => !leftOut.has(step))
      .map((recorded) => {
        const exchange = { ...recorded, request: withLongerPassword(recorded.request) };
        const found = held.find(({ step }) => step === exchange.step);
        const ours = expectationsOf(exchange, found, profile);
        if (!found) return { ...exchange, ours };
        return {
          ...exchange,
          ...(found.retryMs === undefined ? {} : { retryMs: found.retryMs }),
          // A refusal holds nothing that could be kept for later.
          capture: (found.expect?.status ?? 200) === 200 ? exchange.capture : undefined,
          ours,
        };
      }),
  };
};

/** The conversations of protocol 07 §1, with a fresh network each. */
describeNetwork('recorded conversations', () => {
  let replay: Replay;
  const begun = new Map<Profile, ReturnType<typeof differencesOf>>();
  beforeAll(async () => {
    replay = await loadReplay();
    const transcript = (profile: Profile) => withAdjudicated(readTranscript(patient), profile);
    for (const [name, profile] of conversations) {
      if (name === patient) begun.set(profile, differencesOf(transcript(profile), profile));
    }
    // Judged where they are awaited.
    for (const outcome of begun.values()) outcome.catch(() => undefined);
  });

  /** What differs from what is expected, by step: of a fresh network. */
  const differencesOf = async (transcript: Transcript, profile: Profile) => {
    const network = await startNetwork(settingsOf(transcript.network, profile));
    const differences = new Map<number, string>();
    try {
      const { pass, fail } = await replay(network.deployment.baseUrl, transcript, {
        expect: 'ours',
        profile,
        brand: { name: 'Coin', symbol: 'COIN' },
        print: (isAsExpected, { step, name: what, request: { method, path } }, found) => {
          if (!isAsExpected) differences.set(step, `#${step} ${what} (${method} ${path}): ${found.join('; ')}`);
        },
      });
      return { pass, fail, differences };
    } finally {
      await network.remove();
    }
  };

  const inOrder = [...conversations].sort(([a], [b]) => Number(a === patient) - Number(b === patient));
  it.each(inOrder)('%s, profile %s', async (name, profile) => {
    const transcript = withAdjudicated(readTranscript(name), profile);
    const outcome = name === patient ? begun.get(profile)! : differencesOf(transcript, profile);
    const { pass, fail, differences } = await outcome;
    expect([...differences.values()]).toEqual([]);
    expect([pass, fail]).toEqual([transcript.exchanges.length, 0]);
  });

  if (withOtherAnswers.length > 0) {
    it.each(withOtherAnswers)('%s, profile %s: what is said of it is still so', async (name, profile) => {
      const { differences } = await differencesOf(readTranscript(name), profile);
      const held = heldIn(profile, name).filter(hasOtherAnswer);
      expect(held.map(({ step }) => [step, differences.get(step) ?? 'answers as recorded'])).toEqual(
        // Not for want of something that an answer before it would have given.
        held.map(({ step }) => [step, expect.stringMatching(/^#(?!.*unknown variable)/)]),
      );
    });
  }

  it.each(adjudicated)('leaves out of $transcript only what asks for the answer of step $step', (one) => {
    const exchanges = readTranscript(one.transcript).exchanges;
    const at = (step: number): Exchange => exchanges.find((exchange) => exchange.step === step)!;
    expect(at(one.step)).toBeDefined();
    const lost = Object.keys(at(one.step).capture ?? {});
    for (const step of one.leavesOut ?? []) {
      const request = JSON.stringify(at(step).request);
      expect([step, lost.some((name) => request.includes(`\${${name}}`))]).toEqual([step, true]);
    }
  });
});

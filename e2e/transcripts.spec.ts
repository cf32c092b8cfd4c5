import { beforeAll, expect, it } from '@jest/globals';
import {
  loadReplay,
  readTranscript,
  type Replay,
  type Transcript,
  transcriptNames,
} from '@shardnode/testing/transcripts';
import { deploymentKind, describeNetwork } from './kit/deployment.js';
import { type Environment } from './kit/child-process.js';
import { startNetwork } from './kit/network.js';
import { adjudicated } from './kit/adjudicated.js';

type Profile = 'document' | 'reference';

/** Over processes one profile: how answers are shaped is the gateway's matter, and does not know what it talks to. */
const profiles: readonly Profile[] = deploymentKind() === 'cluster' ? ['reference'] : ['document', 'reference'];

const settingsOf = ({ variant, apiKey }: Transcript['network'], profile: Profile): Environment => ({
  API_PROFILE: profile,
  REPORTED_VERSION: 'v2.14.9',
  ...(variant === 'no-auto-mine' ? { MINING: 'off' } : {}),
  ...(apiKey === undefined ? {} : { API_KEY: apiKey }),
});

const withAdjudicated = (transcript: Transcript, profile: Profile): Transcript => ({
  ...transcript,
  exchanges: transcript.exchanges.map((exchange) => {
    const found = adjudicated.find(
      (one) => one.transcript === transcript.name && one.step === exchange.step && (one.profile ?? profile) === profile,
    );
    if (!found) return exchange;
    return { ...exchange, ours: [exchange.ours, { body: '{{any}}', ...found.expect }].flat().filter(Boolean) };
  }),
});

/** The conversations of protocol 07 §1, with a fresh network each. */
describeNetwork('recorded conversations', () => {
  let replay: Replay;
  beforeAll(async () => {
    replay = await loadReplay();
  });

  it.each(profiles.flatMap((profile) => transcriptNames.map((name) => [name, profile] as const)))(
    '%s, profile %s',
    async (name, profile) => {
      const transcript = withAdjudicated(readTranscript(name), profile);
      const network = await startNetwork(settingsOf(transcript.network, profile));
      const differences: string[] = [];
      try {
        const { pass, fail } = await replay(network.deployment.baseUrl, transcript, {
          expect: 'ours',
          profile,
          brand: { name: 'Coin', symbol: 'COIN' },
          print: (isAsExpected, { step, name: what, request: { method, path } }, found) => {
            if (!isAsExpected) differences.push(`#${step} ${what} (${method} ${path}): ${found.join('; ')}`);
          },
        });
        expect(differences).toEqual([]);
        expect([pass, fail]).toEqual([transcript.exchanges.length, 0]);
      } finally {
        await network.remove();
      }
    },
  );

  it('names only exchanges that were recorded', () => {
    for (const { transcript, step } of adjudicated) {
      expect([transcript, readTranscript(transcript).exchanges.some((exchange) => exchange.step === step)]).toEqual([
        transcript,
        true,
      ]);
    }
  });
});

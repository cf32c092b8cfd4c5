/**
 * SEED FROM COUNT: names of the engines in use, then the digest of each program, one per line. Run with
 * plain-engines.mjs.
 */
import { fuzzDigests } from '@shardnode/testing/machine-fuzz';
import {
  ed25519Engine,
  hashEngine,
  keyRecoveryEngine,
  schnorrEngine,
  signatureEngine,
} from '../../libs/protocol/src/crypto/selected-engines.js';

const [seed, from, count] = process.argv.slice(2).map(Number) as [number, number, number];
const engines = [hashEngine, signatureEngine, keyRecoveryEngine, schnorrEngine, ed25519Engine];
process.stdout.write(`${engines.map(({ name }) => name).join(' ')}\n`);
for (const digest of fuzzDigests(seed, from, count)) process.stdout.write(`${digest}\n`);

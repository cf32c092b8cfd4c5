/**
 * SEED FROM COUNT: names of the engines in use, then the digest of each program, one per line. Run with
 * plain-engines.mjs.
 */
import { fuzzDigests } from '@shardnode/testing/machine-fuzz';
import { blake2bEngine } from '../../libs/protocol/src/crypto/blake2b/selected-blake2b-engine.js';
import {
  ed25519Engine,
  hashEngine,
  keyRecoveryEngine,
  schnorrEngine,
  signatureEngine,
} from '../../libs/protocol/src/crypto/selected-engines.js';

const [seed, from, count] = process.argv.slice(2).map(Number) as [number, number, number];
const engines = [blake2bEngine, hashEngine, signatureEngine, keyRecoveryEngine, schnorrEngine, ed25519Engine];
process.stdout.write(`${engines.map(({ name }) => name).join(' ')}\n`);
for (const digest of fuzzDigests(seed, from, count)) process.stdout.write(`${digest}\n`);

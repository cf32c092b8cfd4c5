/** Signatures and hashes per second on one core: the engines in use, and plain JavaScript beside them. */
import {
  hashEngine,
  nobleHashEngine,
  nobleSignatureEngine,
  publicKeyOf,
  sign,
  signatureEngine,
  verifySignature,
} from '@shardnode/protocol/crypto';
import { counted, printRows, seconds } from './rows.js';

/** Milliseconds of each measurement. */
const duration = seconds * 1000;

const slices = 10;

/** Best slice of the time, after a short warm-up; the batch grows until reading the clock costs nothing. */
const rateOf = (run: (i: number) => unknown): number => {
  const rateFor = (milliseconds: number, batch: number): number => {
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < milliseconds) for (let i = 0; i < batch; i++) run(count++);
    return (count / (performance.now() - start)) * 1000;
  };
  const warm = rateFor(Math.min(300, duration / 4), 1);
  const batch = Math.max(1, Math.floor(warm / 200));
  return Math.max(...Array.from({ length: slices }, () => rateFor(duration / slices, batch)));
};

const privateKey = new Uint8Array(32).fill(7);
const publicKey = publicKeyOf(privateKey);
const signed = Array.from({ length: 64 }, (_, i) => {
  const message = new Uint8Array(32).fill(i);
  return { message, signature: sign(message, privateKey) };
});
const at = (i: number) => signed[i % signed.length]!;
const patternOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i % 256);
const transaction = patternOf(300);
const header = patternOf(326);

interface Primitive {
  readonly what: string;
  readonly engine: string;
  readonly run: (i: number) => unknown;
  /** The same in plain JavaScript. */
  readonly noble: (i: number) => unknown;
  readonly bar?: string;
}

const primitives: readonly Primitive[] = [
  {
    what: 'signature verifications',
    engine: signatureEngine.name,
    run: (i) => verifySignature(at(i).message, at(i).signature, publicKey),
    noble: (i) => nobleSignatureEngine.verify(at(i).message, at(i).signature, publicKey),
    bar: '15,000/s',
  },
  {
    what: 'signatures made',
    engine: signatureEngine.name,
    run: (i) => sign(at(i).message, privateKey),
    noble: (i) => nobleSignatureEngine.sign(at(i).message, privateKey),
  },
  {
    what: 'BLAKE2b of 300 bytes',
    engine: hashEngine.name,
    run: () => hashEngine.blake2b(transaction),
    noble: () => nobleHashEngine.blake2b(transaction),
    bar: '700,000/s',
  },
  {
    what: 'BLAKE3 of a header',
    engine: hashEngine.name,
    run: () => hashEngine.blake3(header),
    noble: () => nobleHashEngine.blake3(header),
  },
];

const perSecond = (run: (i: number) => unknown): string => counted(rateOf(run), '').trimEnd() + '/s';
printRows(
  primitives.map(({ what, engine, run, noble, bar }) => ({
    row: `${what}, one core (${engine})`,
    figure: perSecond(run),
    ...(bar === undefined ? {} : { bar }),
    beside: `@noble ${perSecond(noble)}`,
  })),
);

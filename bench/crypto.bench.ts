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

/** Milliseconds of each measurement. */
const duration = Number(process.env['BENCH_SECONDS'] ?? 3) * 1000;

/** Runs a second after a short warm-up; the batch grows until reading the clock costs nothing. */
const rateOf = (run: (i: number) => unknown): number => {
  const batchFor = (milliseconds: number, batch: number): [count: number, elapsed: number] => {
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < milliseconds) for (let i = 0; i < batch; i++) run(count++);
    return [count, performance.now() - start];
  };
  const [warm, warmTime] = batchFor(Math.min(300, duration / 4), 1);
  const [count, elapsed] = batchFor(duration, Math.max(1, Math.floor((warm / warmTime) * 5)));
  return (count / elapsed) * 1000;
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

const rows: [what: string, engine: string, perSecond: number, noble: number, bar: number | undefined][] = [
  [
    'signature verifications',
    signatureEngine.name,
    rateOf((i) => verifySignature(at(i).message, at(i).signature, publicKey)),
    rateOf((i) => nobleSignatureEngine.verify(at(i).message, at(i).signature, publicKey)),
    15_000,
  ],
  [
    'signatures made',
    signatureEngine.name,
    rateOf((i) => sign(at(i).message, privateKey)),
    rateOf((i) => nobleSignatureEngine.sign(at(i).message, privateKey)),
    undefined,
  ],
  [
    'BLAKE2b of 300 bytes',
    hashEngine.name,
    rateOf(() => hashEngine.blake2b(transaction)),
    rateOf(() => nobleHashEngine.blake2b(transaction)),
    700_000,
  ],
  [
    'BLAKE3 of a header',
    hashEngine.name,
    rateOf(() => hashEngine.blake3(header)),
    rateOf(() => nobleHashEngine.blake3(header)),
    undefined,
  ],
];

const shown = (value: number | undefined): string =>
  value === undefined ? '-' : Math.round(value).toLocaleString('en-US');
const line = (cells: readonly string[]): void =>
  console.log(
    [cells[0]!.padEnd(26), cells[1]!.padEnd(18), ...cells.slice(2).map((cell) => cell.padStart(12))].join(''),
  );

line(['per second', 'engine', 'in use', 'noble', 'bar']);
for (const [what, engine, perSecond, noble, bar] of rows)
  line([what, engine, shown(perSecond), shown(noble), shown(bar)]);

import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blake2b, sign, verifySignature } from '@shardnode/protocol/crypto';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type SignatureJob, signatureJobs } from '@shardnode/protocol/validation';
import { assetOutput, buildSignedTransfer, inventedOutput, outputViewOf } from '@shardnode/testing/builders';
import { builtProgram } from '@shardnode/testing/built-program';
import { testKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { openSignaturePool } from '../src/signatures/signature-pool.js';
import { createSignatureChecker, type SignaturePool } from '../src/signatures/signatures.js';

/** Threads run the build. */
const builtWorker = pathToFileURL(builtProgram('group-node', 'signatures/signature-worker.js'));

const keys = Array.from({ length: 4 }, (_, i) => testKey(i));

const job = (i: number): SignatureJob => {
  const message = blake2b(Uint8Array.of(i & 255, i >> 8));
  const { privateKey, publicKey } = keys[i % keys.length]!;
  return { message, signature: sign(message, privateKey), publicKey };
};

/** What a signature can be wrong in; the first ones are right. */
const spoilt = (good: SignatureJob, i: number): SignatureJob => {
  const { message, signature, publicKey } = good;
  switch (i % 7) {
    case 3:
      return { ...good, message: blake2b(message) };
    case 4:
      return { ...good, signature: signature.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) };
    case 5:
      return { ...good, publicKey: publicKey.subarray(1) };
    case 6:
      return { ...good, signature: new Uint8Array(65) };
    default:
      return good;
  }
};

let pool: SignaturePool | undefined;
afterEach(() => pool?.close());

describe('the threads that verify signatures', () => {
  it.each([1, 2, 3])('%d of them say what the engine says, in the order of the jobs', async (threads) => {
    pool = openSignaturePool(threads, builtWorker);
    const jobs = Array.from({ length: 250 }, (_, i) => spoilt(job(i), i));
    const expected = jobs.map(({ message, signature, publicKey }) => verifySignature(message, signature, publicKey));
    expect(new Set(expected).size).toBe(2);
    expect(await pool!.verifyAll(jobs)).toEqual(expected);
    expect(await pool!.verifyAll(jobs.slice(0, 2))).toEqual([true, true]);
    expect(await pool!.verifyAll([])).toEqual([]);
  });

  it('are asked by several callers at once', async () => {
    pool = openSignaturePool(2, builtWorker);
    const good = Array.from({ length: 40 }, (_, i) => job(i));
    const bad = good.map((each) => ({ ...each, message: blake2b(each.message) }));
    const [yes, no] = await Promise.all([pool!.verifyAll(good), pool!.verifyAll(bad)]);
    expect([yes.every(Boolean), no.some(Boolean)]).toEqual([true, false]);
  });

  it('are none where nobody wants them, or the build is not there', () => {
    expect(openSignaturePool(0, builtWorker)).toBeUndefined();
    expect(openSignaturePool(2, new URL('./nothing.js', import.meta.url))).toBeUndefined();
  });

  it('that are closed refuse work', async () => {
    const closed = openSignaturePool(1, builtWorker)!;
    await closed.verifyAll([job(1)]);
    await closed.close();
    await expect(closed.verifyAll([job(1)])).rejects.toThrow('closed');
  });

  it.each([
    ['throws', 'throw new Error("out of luck")', 'out of luck'],
    ['ends', 'process.exit(1)', 'has ended'],
  ])('one that %s fails its work, and the next call has a new one', async (_, deed, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'shardnode-worker-'));
    try {
      const script = join(folder, 'worker.mjs');
      writeFileSync(
        script,
        `import { parentPort } from 'node:worker_threads';
         parentPort.on('message', ({ id, count }) => {
           if (count === 13) { ${deed} }
           parentPort.postMessage({ id, results: new Uint8Array(count).fill(1) });
         });`,
      );
      pool = openSignaturePool(1, pathToFileURL(script));
      const jobs = Array.from({ length: 13 }, (_, i) => job(i));
      await expect(pool!.verifyAll(jobs)).rejects.toThrow(message);
      expect(await pool!.verifyAll(jobs.slice(0, 5))).toEqual([true, true, true, true, true]);
      await expect(Promise.all([pool!.verifyAll(jobs), pool!.verifyAll(jobs)])).rejects.toThrow(message);
      expect(await pool!.verifyAll(jobs.slice(0, 1))).toEqual([true]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('signatures of a block', () => {
  const from = testKeyOfGroup(0);

  /** Transfers of one input each, every tenth signed wrongly. */
  const transfers = (count: number) => {
    const outputs = Array.from({ length: count }, (_, i) =>
      inventedOutput(assetOutput(from.lockupScript, 10n ** 18n), `output ${i}`),
    );
    const transactions = outputs.map((spent, i) => {
      const transaction = buildSignedTransfer({
        settings: developmentNetwork,
        from,
        spend: [spent],
        outputs: [assetOutput(from.lockupScript, 10n ** 17n)],
      });
      if (i % 10 !== 0) return transaction;
      return { ...transaction, inputSignatures: [transaction.inputSignatures[0]!.map((byte) => byte ^ 1)] };
    });
    return { transactions, view: outputViewOf(outputs) };
  };

  /** A pool that counts what it is asked. */
  const counting = (verifyAll: SignaturePool['verifyAll']) => {
    const asked: number[] = [];
    const counted: SignaturePool = {
      verifyAll: (jobs) => {
        asked.push(jobs.length);
        return verifyAll(jobs);
      },
      close: () => Promise.resolve(),
    };
    return { asked, counted };
  };

  const inPlace: SignaturePool['verifyAll'] = (jobs) =>
    Promise.resolve(jobs.map(({ message, signature, publicKey }) => verifySignature(message, signature, publicKey)));

  it.each([
    [200, []],
    [201, [201]],
  ])('%d of them go to the threads as %j', async (count, expected) => {
    const { asked, counted } = counting(inPlace);
    const { transactions, view } = transfers(count);
    await createSignatureChecker(counted).verifyAhead(transactions, view);
    expect(asked).toEqual(expected);
  });

  it('are verified here when the threads fail, and the fault is told', async () => {
    const { counted } = counting(() => Promise.reject(new Error('no thread')));
    const faults: string[] = [];
    const checker = createSignatureChecker(counted, (error) => faults.push(error.message));
    const { transactions, view } = transfers(210);
    const verify = await checker.verifyAhead(transactions, view);
    expect(faults).toEqual(['no thread']);
    const verdicts = signatureJobs(transactions, view).map(({ message, signature, publicKey }) =>
      verify(message, signature, publicKey),
    );
    expect(verdicts.filter((valid) => !valid)).toHaveLength(21);
  });
});

import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { boundedStretcher, openSecret, sealSecret, stretchPassword, type PasswordStretcher } from './secret-record.js';

const cheap: PasswordStretcher = async (password, salt) => scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const secret = { mnemonic: bytes('vault alarm sad'), passphraseCheck: 'ab'.repeat(32) };
/** A record of any content, as `sealSecret` makes it. */
const recordOf = async (content: string): Promise<Buffer> => {
  const [salt, nonce] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await cheap('right', salt), nonce).setAAD(Buffer.from([1]));
  const ciphertext = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([Buffer.from([1]), salt, nonce, cipher.getAuthTag(), ciphertext]);
};
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('secret record (00-decisions, 7)', () => {
  it.each(['correct horse', '', 'pässwörd 🔑', 'x'.repeat(10_000)])('opens with its password %#', async (password) => {
    expect(await openSecret(await sealSecret(secret, password, cheap), password, cheap)).toEqual(secret);
  });

  it('a wrong password opens nothing', async () => {
    const record = await sealSecret(secret, 'right', cheap);
    for (const wrong of ['', 'Right', 'right ', 'righ']) expect(await openSecret(record, wrong, cheap)).toBeUndefined();
  });

  it('distinguishes no passphrase from an empty one', async () => {
    const opened = await openSecret(await sealSecret({ mnemonic: bytes('a') }, 'p', cheap), 'p', cheap);
    expect(opened).toEqual({ mnemonic: bytes('a') });
  });

  it('any changed byte is noticed, the version byte by name', async () => {
    const record = await sealSecret(secret, 'right', cheap);
    const changed = (at: number): Uint8Array => Uint8Array.from(record, (byte, i) => (i === at ? byte ^ 1 : byte));
    await expect(openSecret(changed(0), 'right', cheap)).rejects.toMatchObject({
      kind: 'broken',
      code: 'InvalidWalletRecord',
      detail: 'The stored record of this wallet cannot be read: PUT /wallets with its mnemonic restores it',
    });
    for (let at = 1; at < record.length; at++) expect(await openSecret(changed(at), 'right', cheap)).toBeUndefined();
  });

  it.each([0, 1, 60, 61])('a record of %d bytes is damaged', async (length) => {
    const record = (await sealSecret(secret, 'right', cheap)).subarray(0, length);
    await expect(openSecret(record, 'right', cheap)).rejects.toMatchObject({ code: 'InvalidWalletRecord' });
  });

  it('a content of another form is damaged, and the error does not quote it', async () => {
    const contents = [
      '{"words":"a secret text"}',
      '{"mnemonic":"a secret text',
      '{"mnemonic":"a secret text","passphraseCheck":"a secret text"}',
      '{"mnemonic":"a secret text"} ',
      'null',
    ];
    for (const content of contents) {
      const error = await openSecret(await recordOf(content), 'right', cheap).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'InvalidWalletRecord' });
      expect(JSON.stringify(error)).not.toContain('secret text');
    }
    expect(await openSecret(await recordOf('{"mnemonic":"a secret text"}'), 'right', cheap)).toBeDefined();
  });

  it('wipes the key that the password was stretched into, when it opens, does not open and when it seals', async () => {
    const keys: Buffer[] = [];
    const watched: PasswordStretcher = async (password, salt) => {
      const key = await cheap(password, salt);
      keys.push(key);
      return key;
    };
    const record = await sealSecret(secret, 'right', watched);
    expect(await openSecret(record, 'right', watched)).toEqual(secret);
    expect(await openSecret(record, 'wrong', watched)).toBeUndefined();
    expect(keys.map((key) => key.toString('hex'))).toEqual(Array(3).fill('00'.repeat(32)));
  });

  it('gives the mnemonic as bytes of its own, which wiping leaves nowhere', async () => {
    const opened = await openSecret(await sealSecret(secret, 'right', cheap), 'right', cheap);
    expect(opened!.mnemonic.buffer.byteLength).toBe(opened!.mnemonic.length);
    expect(new TextDecoder().decode(opened!.mnemonic)).toBe('vault alarm sad');
  });

  it('version, 32 bytes of salt, 12 of nonce, 16 of tag; salt and nonce fresh each time', async () => {
    const [a, b] = await Promise.all([sealSecret(secret, 'p', cheap), sealSecret(secret, 'p', cheap)]);
    expect(a[0]).toBe(1);
    const plaintext = JSON.stringify({ ...secret, mnemonic: 'vault alarm sad' });
    expect(a.length).toBe(1 + 32 + 12 + 16 + plaintext.length);
    expect(a.subarray(1, 33)).not.toEqual(b.subarray(1, 33));
    expect(a.subarray(33, 45)).not.toEqual(b.subarray(33, 45));
    expect(a.includes('alarm')).toBe(false);
  });

  it('stretches with scrypt, N = 2^17, r = 8, p = 1', async () => {
    const salt = new Uint8Array(32).fill(3);
    const expected = scryptSync('pässword', salt, 32, { N: 131_072, r: 8, p: 1, maxmem: 2 ** 28 });
    expect(await stretchPassword('pässword', salt)).toEqual(expected);
  });
});

describe('bounded stretching', () => {
  const counting = () => {
    const state = { running: 0, most: 0, finish: [] as (() => void)[] };
    const stretch: PasswordStretcher = async () => {
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      await new Promise<void>((resolve) => state.finish.push(resolve));
      state.running -= 1;
      return Buffer.alloc(32);
    };
    return { state, stretch };
  };

  it('runs two at once; the others queue, and newcomers do not overtake', async () => {
    const { state, stretch } = counting();
    const bounded = boundedStretcher(stretch, 2);
    const all: Promise<unknown>[] = Array.from({ length: 8 }, () => bounded('p', new Uint8Array()));
    for (let done = 0; done < 12; done++) {
      await yieldToEventLoop();
      expect(state.running).toBe(2);
      // Arrives at the moment in which a permit is released.
      if (done < 6) void Promise.resolve().then(() => all.push(bounded('p', new Uint8Array())));
      state.finish.shift()!();
    }
    while (state.finish.length > 0) {
      state.finish.shift()!();
      await yieldToEventLoop();
    }
    await Promise.all(all);
    expect(all.length).toBe(14);
    expect(state.most).toBe(2);
  });

  it('a failing one releases its permit too', async () => {
    const bounded = boundedStretcher(() => Promise.reject(new Error('no memory')), 1);
    for (let i = 0; i < 3; i++) await expect(bounded('p', new Uint8Array())).rejects.toThrow('no memory');
  });

  it('refuses when too many wait', async () => {
    const { state, stretch } = counting();
    const bounded = boundedStretcher(stretch, 1, 1);
    const first = bounded('p', new Uint8Array());
    const second = bounded('p', new Uint8Array());
    await expect(bounded('p', new Uint8Array())).rejects.toMatchObject({
      kind: 'throttled',
      data: { retryAfterSeconds: 5 },
    });
    await yieldToEventLoop();
    state.finish.shift()!();
    await first;
    await yieldToEventLoop();
    state.finish.shift()!();
    await second;
  });
});

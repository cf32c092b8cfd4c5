import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { decodeFrame, encodeFrame, FrameError } from './frame.js';

const throughFrame = (payload: unknown): unknown => {
  const { data, lengths } = encodeFrame(payload);
  return decodeFrame(data, lengths ?? '');
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('frame', () => {
  it('carries plain JSON unchanged, without the header', () => {
    const { data, lengths } = encodeFrame({ a: 1, text: 'é', none: null });
    expect(lengths).toBeUndefined();
    expect(new TextDecoder().decode(data)).toBe('{"a":1,"text":"é","none":null}');
    expect(throughFrame(undefined)).toBeUndefined();
  });

  it('carries bytes after the text, with all lengths in the header', () => {
    const { data, lengths } = encodeFrame({ block: new Uint8Array([7, 8]), items: [new Uint8Array(0)] });
    expect(new TextDecoder().decode(data.subarray(0, -2))).toBe('{"block":{"$bytes":0},"items":[{"$bytes":1}]}');
    expect([...data.subarray(-2)]).toEqual([7, 8]);
    expect(lengths).toBe('45,2,0');
  });

  it('decodes to the encoded payload', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array({ maxLength: 40 }),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(
          fc.string().filter((key) => key !== '$bytes' && key !== '__proto__'),
          tie('any'),
          { maxKeys: 4 },
        ),
      ),
    })).any;
    fc.assert(
      fc.property(value, (payload) => {
        expect(throughFrame(payload)).toEqual(payload);
      }),
    );
  });

  it('does not change the payload, which the sender may still use', () => {
    const payload = Object.freeze({ block: new Uint8Array([1]), list: Object.freeze([new Uint8Array([2])]) });
    expect(throughFrame(payload)).toEqual(payload);
    expect(payload.block).toEqual(new Uint8Array([1]));
  });

  it('gives plain Uint8Arrays, also for a Buffer', () => {
    const { block } = throughFrame({ block: Buffer.from([1, 2]) }) as { block: Uint8Array };
    expect(Object.getPrototypeOf(block)).toBe(Uint8Array.prototype);
  });

  it('does not let a small part keep a large buffer in memory, and does not copy a large one', () => {
    const { data, lengths } = encodeFrame({ block: new Uint8Array(100) });
    const shared = new Uint8Array(65_536);
    shared.set(data, 1_000);
    const small = decodeFrame(shared.subarray(1_000, 1_000 + data.length), lengths!) as { block: Uint8Array };
    expect(small.block.buffer.byteLength).toBe(100);
    const large = encodeFrame({ block: new Uint8Array(60_000) });
    shared.set(large.data, 1_000);
    const view = decodeFrame(shared.subarray(1_000, 1_000 + large.data.length), large.lengths!) as {
      block: Uint8Array;
    };
    expect(view.block.buffer).toBe(shared.buffer);
  });

  it('refuses what JSON cannot carry', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const payload of [{ amount: 1n }, circle, () => 1, { $bytes: 0, block: new Uint8Array(1) }]) {
      expect(() => encodeFrame(payload)).toThrow(FrameError);
    }
  });

  it.each([
    ['no lengths', '{}', 'x'],
    ['a negative length', '{}', '-1,3'],
    ['a length too few', '{"a":{"$bytes":0}}xy', '18,1'],
    ['a length too many', '{"a":{"$bytes":0}}xy', '18,3'],
    ['a place without bytes', '{"a":{"$bytes":1}}xy', '18,2'],
    ['bytes without a place', '{"a":0}xy', '7,2'],
    ['a place that is no number', '{"a":{"$bytes":"0"}}xy', '20,2'],
    ['a place that is a name of arrays', '{"a":{"$bytes":"length"}}xy', '25,2'],
    ['a field that is none', '{"__proto__":{"$bytes":0}}xy', '26,2'],
    ['no JSON', '{"a":', ''],
    ['deep nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}xy`, '400000,2'],
  ])('refuses %s', (_what, text, lengths) => {
    expect(() => decodeFrame(bytes(text), lengths)).toThrow(FrameError);
  });

  it('throws nothing but FrameError for any bytes and any header, without a part of the message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.oneof(fc.string(), fc.constant('')), (data, lengths) => {
        try {
          decodeFrame(data, lengths);
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }),
    );
    expect(() => decodeFrame(bytes('{"password":"hunter2'), '')).toThrow(/^its text is no JSON$/);
    expect(() => decodeFrame(new Uint8Array([0x22, 0xff, 0x22]), '')).toThrow('its text is not UTF-8');
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { ClientRotation } from './client-rotation.js';

describe('rotation of clients', () => {
  let rotation: ClientRotation<string>;
  beforeEach(() => {
    rotation = new ClientRotation();
    for (const entry of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) rotation.push(entry[0]!, entry);
  });

  const rest = (): (string | undefined)[] => Array.from({ length: rotation.size }, () => rotation.take());

  it('takes the first of each client in turn', () => {
    expect(rest()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect([rotation.size, rotation.take()]).toEqual([0, undefined]);
  });

  it('takes an entry next that was put back', () => {
    for (const taken of ['a1', 'b1', 'c1']) expect(rotation.take()).toBe(taken);
    rotation.putBack('c', 'c1');
    rotation.putBack('b', 'b1');
    expect(rest()).toEqual(['b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('takes the newest entry of the client with the most', () => {
    expect(rotation.takeNewest('b')).toBeUndefined();
    expect(rotation.takeNewest('c')).toBe('a3');
    expect(rotation.takeNewest('c')).toBeUndefined();
    expect(rotation.takeNewest('d')).toBe('a2');
    expect(rest()).toEqual(['a1', 'b1', 'c1', 'b2']);
    expect(rotation.takeNewest()).toBeUndefined();
  });

  it('removes an entry once', () => {
    expect([rotation.remove('c', 'c1'), rotation.remove('c', 'c1'), rotation.remove('d', 'd1')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(rest()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });
});

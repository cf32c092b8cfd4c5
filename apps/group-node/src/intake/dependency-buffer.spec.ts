import { describe, expect, it } from '@jest/globals';
import { DependencyBuffer } from './dependency-buffer.js';

const bounds = { capacity: 3, maximalAge: 1000 };

describe('dependency buffer (protocol 03 §12.4)', () => {
  it('returns an item when the last of its dependencies is stored', () => {
    const buffer = new DependencyBuffer<string>(bounds);
    buffer.add('c', 'block c', ['a', 'b'], 0);
    expect(buffer.stored('a')).toEqual([]);
    expect(buffer.stored('b').map((entry) => entry.item)).toEqual(['block c']);
    expect(buffer.undecided().map((entry) => entry.hash)).toEqual(['c']);
    expect(buffer.stored('c')).toEqual([]);
    expect(buffer.size).toBe(0);
  });

  it('drops an invalid item with all its dependents', () => {
    const buffer = new DependencyBuffer<string>(bounds);
    buffer.add('a', 'a', [], 0);
    buffer.add('b', 'b', ['a'], 0);
    buffer.add('c', 'c', ['b', 'x'], 0);
    expect([...buffer.refused('a')].sort()).toEqual(['a', 'b', 'c']);
    expect(buffer.size).toBe(0);
    expect(buffer.stored('x')).toEqual([]);
  });

  it('drops the buffered items of a dependency that was never here', () => {
    const buffer = new DependencyBuffer<string>(bounds);
    buffer.add('b', 'b', ['a'], 0);
    expect(buffer.refused('a')).toEqual(['b']);
  });

  it('is bounded by number: the oldest leaves first, with its descendants', () => {
    const buffer = new DependencyBuffer<string>(bounds);
    buffer.add('a', 'a', ['x'], 0);
    buffer.add('b', 'b', ['a'], 1);
    buffer.add('c', 'c', ['y'], 2);
    buffer.add('d', 'd', ['y'], 3);
    expect(buffer.get('a')).toBeUndefined();
    expect(buffer.get('b')).toBeUndefined();
    expect(buffer.size).toBe(2);
  });

  it('is bounded by age, when a new item arrives', () => {
    const buffer = new DependencyBuffer<string>(bounds);
    buffer.add('a', 'a', ['x'], 0);
    buffer.add('b', 'b', ['x'], 1001);
    expect(buffer.get('a')).toBeUndefined();
    expect(buffer.stored('x').map((entry) => entry.hash)).toEqual(['b']);
  });

  it('names missing dependencies, without those in the buffer', () => {
    const buffer = new DependencyBuffer<string>(bounds);
    buffer.add('b', 'b', ['a'], 0);
    buffer.add('c', 'c', ['b'], 0);
    expect(buffer.missingOlderThan(200, 100)).toEqual([]);
    expect(buffer.missingOlderThan(200, 200)).toEqual(['a']);
  });
});

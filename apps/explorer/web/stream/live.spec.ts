import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Link, Live, type StreamEvent } from './live.js';

/** The part of an `EventSource` that connections use. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeSource[] = [];
  static times: number[] = [];
  readyState = 0;

  constructor(readonly url: string) {
    super();
    FakeSource.opened.push(this);
    FakeSource.times.push(Date.now());
  }

  static get newest(): FakeSource {
    return FakeSource.opened.at(-1)!;
  }

  close(): void {
    this.readyState = FakeSource.CLOSED;
  }

  /** The answer was no stream: the browser does not try again. */
  refuse(): void {
    this.close();
    this.dispatchEvent(new Event('error'));
  }

  send(name: string, data: unknown): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) }));
  }
}

describe('what the page hears', () => {
  let frames: (() => void)[];
  let page: EventTarget & { hidden: boolean; baseURI: string };
  let links: Link[];
  let applied: (readonly StreamEvent[])[];
  let polls: number;
  let live: Live;

  const hide = (hidden: boolean): void => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  const nextFrame = (): void => frames.splice(0).forEach((draw) => draw());

  beforeEach(() => {
    jest.useFakeTimers();
    [frames, links, applied, polls] = [[], [], [], 0];
    [FakeSource.opened, FakeSource.times] = [[], []];
    page = Object.assign(new EventTarget(), { hidden: false, baseURI: 'http://explorer/' });
    Object.assign(globalThis, {
      document: page,
      EventSource: FakeSource,
      requestAnimationFrame: (draw: () => void) => frames.push(draw),
      addEventListener: () => undefined,
    });
    live = new Live({
      apply: (events) => void applied.push(events),
      poll: () => Promise.resolve(void (polls += 1)),
      pinned: () => [],
      onLink: (link) => void links.push(link),
    });
    FakeSource.newest.dispatchEvent(new Event('open'));
  });
  afterEach(() => {
    jest.useRealTimers();
    for (const name of ['document', 'EventSource', 'requestAnimationFrame', 'addEventListener'])
      Reflect.deleteProperty(globalThis, name);
  });

  it('is applied once for each frame, in its order', () => {
    for (let height = 1; height <= 50; height++) FakeSource.newest.send('block', { height });
    expect(applied).toEqual([]);
    nextFrame();
    FakeSource.newest.send('block', { height: 51 });
    nextFrame();
    nextFrame();
    const heights = applied.map((events) => events.map(({ data }) => (data as { height: number }).height));
    expect(heights).toEqual([Array.from({ length: 50 }, (_, i) => i + 1), [51]]);
  });

  it('is applied twice a second while the page is hidden, and no more after a minute', () => {
    hide(true);
    FakeSource.newest.send('block', { height: 1 });
    jest.advanceTimersByTime(500);
    expect(applied).toHaveLength(1);
    jest.advanceTimersByTime(59_499);
    expect(FakeSource.newest.readyState).toBe(0);
    jest.advanceTimersByTime(1);
    expect(FakeSource.newest.readyState).toBe(FakeSource.CLOSED);
    expect(polls).toBe(1);
    hide(false);
    expect(FakeSource.opened).toHaveLength(2);
    expect(polls).toBe(2);
  });

  it('stays open for a page that was hidden for less', () => {
    hide(true);
    jest.advanceTimersByTime(59_999);
    hide(false);
    jest.advanceTimersByTime(60_000);
    expect([FakeSource.opened.length, FakeSource.newest.readyState, polls]).toEqual([1, 0, 1]);
  });

  it('is asked for every ten seconds while the stream is refused, which is tried ever less often', () => {
    const began = Date.now();
    FakeSource.newest.refuse();
    expect(links.at(-1)).toBe('polling');
    for (let second = 0; second < 200; second++) {
      jest.advanceTimersByTime(1_000);
      if (FakeSource.newest.readyState !== FakeSource.CLOSED) FakeSource.newest.refuse();
    }
    expect(FakeSource.times.slice(1).map((time) => Math.round((time - began) / 1_000))).toEqual([5, 20, 80, 140, 200]);
    expect(polls).toBe(1 + 1 + 20);
    jest.advanceTimersByTime(60_000);
    FakeSource.newest.dispatchEvent(new Event('open'));
    expect(links.at(-1)).toBe('live');
    const before = polls;
    jest.advanceTimersByTime(60_000);
    expect(polls).toBe(before);
  });

  it('comes by polling after three failures of the browser’s own tries', () => {
    const fail = (): boolean => FakeSource.newest.dispatchEvent(new Event('error'));
    fail();
    fail();
    expect(links.at(-1)).toBe('connecting');
    fail();
    expect(links.at(-1)).toBe('polling');
    jest.advanceTimersByTime(5_000);
    expect(FakeSource.opened).toHaveLength(2);
  });

  it('is also of the newest ten addresses that are watched', () => {
    for (let number = 1; number <= 12; number++) live.watch(`a${number}`);
    const watched = new URL(FakeSource.newest.url).searchParams.getAll('address');
    expect(watched).toEqual(Array.from({ length: 10 }, (_, i) => `a${i + 3}`));
  });
});

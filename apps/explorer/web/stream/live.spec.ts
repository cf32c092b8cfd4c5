import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiFailure } from './api.js';
import { Live, type LinkState, type StreamEvent } from './live.js';

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
  let links: LinkState['link'][];
  let applied: (readonly StreamEvent[])[];
  let polls: number;
  /** What the service answers to polls. */
  let answer: () => Promise<void>;
  let online: () => void;
  /** Seconds. */
  let passed: number;
  let live: Live;

  const hide = (hidden: boolean): void => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  /** Time passes, while the service says that it is alive as long as it is. */
  const pass = async (seconds: number, isAlive = true): Promise<void> => {
    for (let i = 0; i < seconds; i++) {
      await jest.advanceTimersByTimeAsync(1_000);
      passed += 1;
      if (isAlive && passed % 15 === 0) FakeSource.newest.send('alive', { serverTime: 0 });
    }
  };
  const nextFrame = (): void => frames.splice(0).forEach((draw) => draw());

  beforeEach(() => {
    jest.useFakeTimers();
    [frames, links, applied, polls] = [[], [], [], 0];
    answer = () => Promise.resolve();
    passed = 0;
    [FakeSource.opened, FakeSource.times] = [[], []];
    page = Object.assign(new EventTarget(), { hidden: false, baseURI: 'http://explorer/' });
    Object.assign(globalThis, {
      document: page,
      EventSource: FakeSource,
      requestAnimationFrame: (draw: () => void) => frames.push(draw),
      addEventListener: (name: string, listener: () => void) => {
        if (name === 'online') online = listener;
      },
    });
    live = new Live({
      apply: (events) => void applied.push(events),
      poll: () => {
        polls += 1;
        return answer();
      },
      pinned: () => [],
      onLink: ({ link }) => void links.push(link),
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

  it('is applied twice a second while the page is hidden, and no more after a minute', async () => {
    hide(true);
    FakeSource.newest.send('block', { height: 1 });
    await jest.advanceTimersByTimeAsync(500);
    expect(applied).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(500);
    await pass(58);
    await jest.advanceTimersByTimeAsync(999);
    expect(FakeSource.newest.readyState).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(FakeSource.newest.readyState).toBe(FakeSource.CLOSED);
    expect(polls).toBe(1);
    hide(false);
    expect(FakeSource.opened).toHaveLength(2);
    expect(polls).toBe(2);
  });

  it('stays open for a page that was hidden for less, which looks whether it has all', async () => {
    hide(true);
    await pass(59);
    hide(false);
    await pass(60);
    expect([FakeSource.opened.length, FakeSource.newest.readyState, polls]).toEqual([1, 0, 2]);
  });

  it('is asked for every ten seconds while the stream is refused, which is tried ever less often', async () => {
    const began = Date.now();
    FakeSource.newest.refuse();
    expect(links.at(-1)).toBe('polling');
    for (let second = 0; second < 200; second++) {
      await jest.advanceTimersByTimeAsync(1_000);
      if (FakeSource.newest.readyState !== FakeSource.CLOSED) FakeSource.newest.refuse();
    }
    expect(FakeSource.times.slice(1).map((time) => Math.round((time - began) / 1_000))).toEqual([5, 20, 80, 140, 200]);
    expect(polls).toBe(1 + 1 + 20);
    await jest.advanceTimersByTimeAsync(60_000);
    FakeSource.newest.dispatchEvent(new Event('open'));
    expect(links.at(-1)).toBe('live');
    const before = polls;
    await pass(60);
    expect(polls).toBe(before);
  });

  it('comes by polling after three failures of the browser’s own tries', async () => {
    const fail = (): boolean => FakeSource.newest.dispatchEvent(new Event('error'));
    fail();
    fail();
    expect(links.at(-1)).toBe('connecting');
    fail();
    expect(links.at(-1)).toBe('polling');
    await pass(5);
    expect(FakeSource.opened).toHaveLength(2);
  });

  it('comes over a new connection after 40 s of silence, and by polls meanwhile', async () => {
    await pass(39, false);
    expect([links.at(-1), FakeSource.opened.length, polls]).toEqual(['live', 1, 1]);
    await pass(1, false);
    expect([links.at(-1), FakeSource.opened.length, polls]).toEqual(['connecting', 2, 2]);
    expect(FakeSource.opened[0]!.readyState).toBe(FakeSource.CLOSED);
    // What swallows bytes swallows the new connection, too.
    await pass(8, false);
    expect([links.at(-1), FakeSource.opened[1]!.readyState]).toEqual(['polling', FakeSource.CLOSED]);
    await pass(10, false);
    expect(polls).toBe(3);
    FakeSource.newest.dispatchEvent(new Event('open'));
    expect(links.at(-1)).toBe('live');
  });

  it('is not trusted after a silence in which it should have said that it is alive', async () => {
    await pass(20, false);
    FakeSource.newest.send('block', { height: 9 });
    nextFrame();
    expect(applied).toEqual([]);
    expect([links.at(-1), FakeSource.opened.length, polls]).toEqual(['connecting', 2, 2]);
  });

  it('is asked for when the page is shown or the network comes back, over a new connection if it was silent', async () => {
    await pass(5, false);
    hide(true);
    hide(false);
    expect([FakeSource.opened.length, polls]).toEqual([1, 2]);
    online();
    expect([FakeSource.opened.length, links.at(-1)]).toEqual([2, 'connecting']);
    FakeSource.newest.dispatchEvent(new Event('open'));
    await pass(25, false);
    hide(true);
    hide(false);
    expect(FakeSource.opened).toHaveLength(3);
  });

  it('is opened again when the machine wakes, by the clock of the day', () => {
    jest.setSystemTime(Date.now() + 3_600_000);
    jest.advanceTimersByTime(1_000);
    expect([links.at(-1), FakeSource.opened.length]).toEqual(['connecting', 2]);
  });

  it('says that there is no connection while polls fail, and is live again as soon as one does not', async () => {
    answer = () => Promise.reject(new ApiFailure(0, 'away', undefined, undefined));
    FakeSource.newest.refuse();
    for (let second = 0; second < 120; second++) {
      await jest.advanceTimersByTimeAsync(1_000);
      if (FakeSource.newest.readyState !== FakeSource.CLOSED) FakeSource.newest.refuse();
    }
    expect(links.at(-1)).toBe('away');
    const before = FakeSource.opened.length;
    answer = () => Promise.resolve();
    await pass(8, false);
    expect([links.at(-1), FakeSource.opened.length]).toEqual(['polling', before + 1]);
    FakeSource.newest.dispatchEvent(new Event('open'));
    expect(links.at(-1)).toBe('live');
  });

  it('is also of the newest ten addresses that are watched', () => {
    for (let number = 1; number <= 12; number++) live.watch(`a${number}`);
    const watched = new URL(FakeSource.newest.url).searchParams.getAll('address');
    expect(watched).toEqual(Array.from({ length: 10 }, (_, i) => `a${i + 3}`));
  });
});

import { Injectable } from '@nestjs/common';
import { RecentMap } from '@shardnode/core/eviction';
import { Clock } from '@shardnode/core/lifecycle';
import { LiveStream } from '../live/live-stream.js';
import { type Page } from '../database/page.js';

/** Milliseconds for which an answer is kept (protocol 08 §4.14). */
const keptMs = 1_000;
/** More than there are lists and usual limits. */
const mostKept = 100;

interface SharedAnswer {
  /** Last event of the stream when it was read. */
  readonly event: string;
  /** `monotonic` when it was read. */
  readonly since: number;
  readonly answer: Promise<unknown>;
}

/**
 * First parts of lists that everybody looks at: equal requests share one read, for a second or until the index changes.
 * Before the first event of the stream, which may miss a change, they share only reads in flight.
 */
@Injectable()
export class FirstParts {
  private readonly kept = new RecentMap<string, SharedAnswer>(mostKept);

  constructor(
    private readonly stream: LiveStream,
    private readonly clock: Clock,
  ) {}

  /** @param list names the list and its order */
  of<Answer>(list: string, { limit, offset, after }: Page, read: () => Promise<Answer>): Promise<Answer> {
    if (offset > 0 || after !== undefined) return read();
    const key = `${list} ${limit}`;
    const { lastEventId: event, isHeard } = this.stream;
    const now = this.clock.monotonic();
    const known = this.kept.get(key);
    // Lists of one name have answers of one type.
    if (known?.event === event && now - known.since < keptMs) return known.answer as Promise<Answer>;
    const answer = read();
    this.kept.set(key, { event, since: now, answer });
    const forget = (): void => this.kept.delete(key);
    answer.then(isHeard ? undefined : forget, forget);
    return answer;
  }
}

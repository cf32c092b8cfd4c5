import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@shardnode/core/lifecycle';
import { type Json } from '@shardnode/http';
import { ServedFile } from '@shardnode/http/docs';

/** Injection token of a `DescribeApi`. */
export const apiDescription = Symbol('apiDescription');

/** The OpenAPI document with examples that work at `now`, milliseconds since 1970. */
export type DescribeApi = (now: number) => Json;

/** Milliseconds for which a document is cached: the times in its examples must be recent. */
const freshMs = 60_000;

/** The OpenAPI document as a file, rewritten when it is stale. */
@Injectable()
export class ApiDescription {
  private last: { readonly file: ServedFile; readonly writtenAt: number } | undefined;

  constructor(
    private readonly clock: Clock,
    @Inject(apiDescription) private readonly describe: DescribeApi,
  ) {}

  current(): ServedFile {
    const now = this.clock.now();
    if (this.last === undefined || Math.abs(now - this.last.writtenAt) >= freshMs) {
      const text = JSON.stringify(this.describe(now), undefined, 2);
      this.last = { file: new ServedFile('application/json', Buffer.from(text)), writtenAt: now };
    }
    return this.last.file;
  }
}

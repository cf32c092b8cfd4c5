import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';

/** Logs what was pulled from the siblings until nothing was missing any more: one line for all rounds and tries of it. */
export class CatchUpLog {
  private begun: { readonly at: number; readonly fromHeight: number } | undefined;
  private blocks = 0;
  private isLarge = false;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly logger: Pick<Logger, 'info' | 'debug'>,
    /** Of the chain inside the group. */
    private readonly height: () => number,
  ) {}

  /** Before each pull. */
  begin(): void {
    this.begun ??= { at: this.clock.monotonic(), fromHeight: this.height() };
  }

  /** After it; `isLarge`: it is worth a line at `info`, unlike the small gaps of every day. */
  pulled(blocks: number, isLarge: boolean): void {
    this.blocks += blocks;
    this.isLarge ||= isLarge;
  }

  /** Nothing is missing any more. */
  end(): void {
    const { begun, blocks, isLarge } = this;
    if (!begun) return;
    const { at, fromHeight } = begun;
    const fields = { blocks, fromHeight, height: this.height(), tookMs: Math.round(this.clock.monotonic() - at) };
    if (isLarge) this.logger.info(fields, 'caught up with the siblings');
    else this.logger.debug(fields, 'a gap was closed');
    this.begun = undefined;
    this.blocks = 0;
    this.isLarge = false;
  }
}

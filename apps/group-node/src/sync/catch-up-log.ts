import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';

/** Logs the blocks pulled from the siblings until nothing is missing: one line for all rounds and attempts. */
export class CatchUpLog {
  private begun: { readonly at: number; readonly fromHeight: number } | undefined;
  private blocks = 0;
  private isLarge = false;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly logger: Pick<Logger, 'info' | 'debug'>,
    /** Height of the intra-group chain. */
    private readonly height: () => number,
  ) {}

  /** Called before each pull. */
  begin(): void {
    this.begun ??= { at: this.clock.monotonic(), fromHeight: this.height() };
  }

  /** Called after each pull; `isLarge`: it is logged at `info`, unlike the small gaps of normal operation. */
  pulled(blocks: number, isLarge: boolean): void {
    this.blocks += blocks;
    this.isLarge ||= isLarge;
  }

  /** Called when nothing is missing. */
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

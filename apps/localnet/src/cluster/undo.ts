import { closeAll } from '@shardnode/core/lifecycle';

/** What a stop has to undo, last first, all of it: a service that does not stop must not leave the servers behind. */
export class Undo {
  private readonly steps: (() => Promise<void> | void)[] = [];

  /** `failed` is told of each step that does not work. */
  constructor(private readonly failed: (error: unknown) => void) {}

  add(step: () => Promise<void> | void): void {
    this.steps.push(step);
  }

  /** Whether all went well. */
  run(): Promise<boolean> {
    const steps = this.steps.splice(0).reverse();
    return closeAll(
      steps.map((step) => async () => step()),
      this.failed,
    ).then(
      () => true,
      () => false,
    );
  }
}

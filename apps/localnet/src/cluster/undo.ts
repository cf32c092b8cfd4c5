import { closeAll } from '@shardnode/core/lifecycle';

/**
 * Undo steps of a stop. All of them run, last first, so that a service that does not stop cannot leave the servers
 * behind.
 */
export class Undo {
  private readonly steps: (() => Promise<void> | void)[] = [];

  /** `failed` is called for each failed step. */
  constructor(private readonly failed: (error: unknown) => void) {}

  add(step: () => Promise<void> | void): void {
    this.steps.push(step);
  }

  /** Resolves to whether all steps succeeded. */
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

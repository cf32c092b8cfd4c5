import { onHangup } from './hangup.js';
import { type Service } from './service.js';

export interface SignalOptions {
  /** Milliseconds that a graceful stop may take before the process ends anyway. Default 15,000. */
  readonly stopWithinMs?: number;
  /** Called for a stop that failed or took too long. */
  readonly onProblem?: (problem: unknown) => void;
}

/**
 * For `main.ts`: waits for SIGINT, SIGTERM or SIGHUP and stops the service. A second SIGINT or SIGTERM ends the process
 * at once. Resolves with the exit code.
 */
export const runUntilSignal = (service: Service, options: SignalOptions = {}): Promise<number> =>
  new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      const limit = setTimeout(() => {
        options.onProblem?.(new Error('the graceful stop took too long'));
        resolve(1);
      }, options.stopWithinMs ?? 15_000);
      service
        .stop()
        .then(
          () => 0,
          (error: unknown) => {
            options.onProblem?.(error);
            return 1;
          },
        )
        .then(
          (code) => {
            clearTimeout(limit);
            resolve(code);
          },
          resolve.bind(undefined, 1),
        );
    };
    const onSignal = (): void => {
      if (stopping) process.exit(130);
      stop();
    };
    onHangup(stop);
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });

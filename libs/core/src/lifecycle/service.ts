/** A log that takes errors. */
export interface ErrorLog {
  error(values: { readonly err: unknown; readonly stoppedService?: string }, text: string): void;
}

/** A service, as returned by `create(config, ports)` of every app. */
export interface Service {
  readonly name: string;
  /** Resolves when the service takes requests. */
  start(): Promise<void>;
  /** Stops accepting, drains requests in flight, closes. Safe to call twice and after a failed start. */
  stop(): Promise<void>;
}

/**
 * Starts services one after the other. When one fails, those already started (and the failed one) are stopped in reverse
 * order and the failure is thrown.
 */
export const startInOrder = async (services: readonly Service[], log?: ErrorLog): Promise<void> => {
  for (const [index, service] of services.entries()) {
    try {
      await service.start();
    } catch (error) {
      await stopInReverse(services.slice(0, index + 1), log).catch((stopError: unknown) =>
        log?.error({ err: stopError }, 'stopping after a failed start failed too'),
      );
      throw error;
    }
  }
};

/** Runs all steps in order, even if some fail. Throws the first failure at the end. */
export const closeAll = async (
  steps: readonly (() => Promise<void> | undefined)[],
  failed?: (error: unknown, step: number) => void,
): Promise<void> => {
  const failures: unknown[] = [];
  for (const [index, step] of steps.entries()) {
    try {
      await step();
    } catch (error) {
      failed?.(error, index);
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};

/** Stops all in reverse order, even if some fail. Throws the first failure at the end. */
export const stopInReverse = (services: readonly Service[], log?: ErrorLog): Promise<void> => {
  const order = [...services].reverse();
  return closeAll(
    order.map((service) => () => service.stop()),
    (err, step) => log?.error({ err, stoppedService: order[step]!.name }, 'service did not stop cleanly'),
  );
};

/** Several services as one. */
export const composeServices = (name: string, services: readonly Service[], log?: ErrorLog): Service => ({
  name,
  start: () => startInOrder(services, log),
  stop: () => stopInReverse(services, log),
});

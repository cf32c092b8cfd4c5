import { type Logger } from '../observability/index.js';

/** What `create(config, ports)` of every app gives. */
export interface Service {
  readonly name: string;
  /** Resolves when the service takes requests. */
  start(): Promise<void>;
  /** Stops accepting, finishes what is in flight, closes. Safe to call twice and after a failed start. */
  stop(): Promise<void>;
}

/**
 * Starts services one after the other. When one fails, those already started (and the failed one) are stopped in reverse
 * order and the failure is thrown.
 */
export const startInOrder = async (services: readonly Service[], logger?: Logger): Promise<void> => {
  for (const [index, service] of services.entries()) {
    try {
      await service.start();
    } catch (error) {
      await stopInReverse(services.slice(0, index + 1), logger).catch((stopError: unknown) =>
        logger?.error({ err: stopError }, 'stopping after a failed start failed too'),
      );
      throw error;
    }
  }
};

/** Stops in reverse order; one that fails does not keep the others running. Throws the first failure at the end. */
export const stopInReverse = async (services: readonly Service[], logger?: Logger): Promise<void> => {
  const failures: unknown[] = [];
  for (const service of [...services].reverse()) {
    try {
      await service.stop();
    } catch (error) {
      logger?.error({ err: error, stoppedService: service.name }, 'service did not stop cleanly');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};

/** Several services as one. */
export const composeServices = (name: string, services: readonly Service[], logger?: Logger): Service => ({
  name,
  start: () => startInOrder(services, logger),
  stop: () => stopInReverse(services, logger),
});

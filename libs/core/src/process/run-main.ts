import { destination } from 'pino';
import { type z } from 'zod';
import { type Environment, unknownSettings, variablesOf } from '../configuration/index.js';
import { type Service } from '../lifecycle/index.js';
import { createLogger, type Logger, type LogLevel } from '../observability/index.js';
import { startFailureText } from './start-failure.js';
import { listenForStop, StopAsked, type StopRequest } from './stop-request.js';
import { waitForServer, type WaitOptions } from './wait-for-server.js';

/** What a service is given to open its ports with. */
export interface MainTools {
  readonly logger: Logger;
  /** Runs after the service has stopped, and after a failed start too; the last one given runs first. */
  onClose(close: () => Promise<void>): void;
  /** See `waitForServer`; a stop ends the wait. */
  waitFor<T>(attempt: () => Promise<T>, server: Pick<WaitOptions, 'server' | 'setting' | 'isAway'>): Promise<T>;
  /** For a service that cannot go on: the log, one sentence, exit code 1. */
  onFatal(error: Error): void;
}

export interface MainDefinition<Settings extends { readonly LOG_LEVEL: LogLevel }> {
  /** All variables of the service: what is like one of them and is none is told in the log. */
  readonly schema: z.ZodObject;
  /** Everything that the service reads of its environment. @throws ConfigurationError */
  readonly read: (environment: Environment) => Settings;
  /** Opens the ports and makes the service; `runMain` starts it. */
  readonly open: (settings: Settings, tools: MainTools) => Promise<Service & { readonly port: number }>;
  /** Interface of `/health/ready`. */
  readonly host: (settings: Settings) => string;
  /** Variable that names the port. */
  readonly portSetting: string;
  /** A sentence for failures that only this service knows. */
  readonly describe?: (error: unknown) => string | undefined;
}

const readyWithinMs = 1_000;

/** Whether the service says by itself that it has caught up. It takes requests before, and says in the answers what it lacks. */
const isReady = async (host: string, port: number): Promise<boolean> => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  try {
    const answer = await fetch(`http://${reachable}:${port}/health/ready`, {
      signal: AbortSignal.timeout(readyWithinMs),
    });
    return answer.ok;
  } catch {
    return false;
  }
};

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const endFatally =
  (logger: Logger, what: string) =>
  (error: unknown): never => {
    logger.fatal({ err: error }, what);
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exit(1);
  };

/** Opened things, closed once, in reverse order. One that fails does not keep the others open. */
class Closers {
  private readonly closers: (() => Promise<void>)[] = [];

  constructor(private readonly logger: Logger) {}

  add(close: () => Promise<void>): void {
    this.closers.push(close);
  }

  /** Whether all went well. */
  async close(): Promise<boolean> {
    let succeeded = true;
    for (const close of this.closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        succeeded = false;
        this.logger.error({ err: error }, 'the service did not stop cleanly');
      }
    }
    return succeeded;
  }
}

const serve = async <Settings extends { readonly LOG_LEVEL: LogLevel }>(
  definition: MainDefinition<Settings>,
  settings: Settings,
  tools: MainTools,
  stop: StopRequest,
): Promise<void> => {
  const service = await definition.open(settings, tools);
  tools.onClose(() => service.stop());
  stop.signal.throwIfAborted();
  await service.start();
  const { name, port } = service;
  const ready = await isReady(definition.host(settings), port);
  const startedInMs = Math.round(performance.now());
  process.stdout.write(`${JSON.stringify({ service: name, port, pid: process.pid, startedInMs, ready })}\n`);
  await stop.asked;
};

const run = async <Settings extends { readonly LOG_LEVEL: LogLevel }>(
  definition: MainDefinition<Settings>,
): Promise<number> => {
  const settings = definition.read(process.env);
  const logger = createLogger({ level: settings.LOG_LEVEL, destination: destination({ dest: 2, sync: true }) });
  for (const sentence of unknownSettings(variablesOf(definition.schema), process.env)) logger.warn(sentence);
  process.on('uncaughtException', endFatally(logger, 'an exception was not caught'));
  process.on('unhandledRejection', endFatally(logger, 'a rejection was not handled'));
  const stop = listenForStop(() => logger.error('the stop in order took too long'));
  const closers = new Closers(logger);
  const tools: MainTools = {
    logger,
    onClose: (close) => closers.add(close),
    waitFor: (attempt, server) => waitForServer(attempt, { ...server, logger, signal: stop.signal }),
    onFatal: endFatally(logger, 'the service cannot go on'),
  };
  try {
    await serve(definition, settings, tools, stop);
  } catch (error) {
    if (!stop.signal.aborted) {
      tell(definition, error);
      // The failure is told: what hangs now would only keep it from ending.
      setTimeout(() => process.exit(1), failedStopWithinMs);
      await closers.close();
      return 1;
    }
    if (!isInterruption(error)) logger.error({ err: error }, 'the start failed while it was stopped');
  }
  return (await closers.close()) ? 0 : 1;
};

const failedStopWithinMs = 5_000;

const isInterruption = (error: unknown): boolean =>
  error instanceof StopAsked || (error instanceof Error && error.name === 'AbortError');

const tell = (definition: Pick<MainDefinition<never>, 'describe' | 'portSetting'>, error: unknown): void => {
  const told = definition.describe?.(error) ?? startFailureText(error, ` with ${definition.portSetting}`);
  process.stderr.write(`${told ?? textOf(error)}\n`);
};

/**
 * `main.ts` of a service: settings from the environment, start, one line of JSON on standard output when it takes
 * requests (`ready` says whether it has caught up already), stop in order at SIGTERM or SIGINT. Ends the process: 0 after
 * a stop in order, 1 after a failed start or a fault, with one sentence on standard error. The log goes there too.
 */
export const runMain = async <Settings extends { readonly LOG_LEVEL: LogLevel }>(
  definition: MainDefinition<Settings>,
): Promise<never> => {
  try {
    process.exitCode = await run(definition);
  } catch (error) {
    tell(definition, error);
    process.exitCode = 1;
  }
  // Libraries leave timers behind that would keep the process for seconds.
  return process.exit();
};

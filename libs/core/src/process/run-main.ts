import { destination } from 'pino';
import { type z } from 'zod';
import { changedSettings, type Environment, unknownSettings, variablesOf } from '../configuration/index.js';
import { type Service } from '../lifecycle/index.js';
import { createLogger, type Logger, type LogLevel, softwareVersion } from '../observability/index.js';
import { followReadiness, type HealthSource, readinessNow } from './readiness-log.js';
import { startFailureText } from './start-failure.js';
import { listenForStop, StopAsked, type StopRequest } from './stop-request.js';
import { requireSupportedNode } from './supported-node.js';
import { waitForServer, type WaitOptions } from './wait-for-server.js';

/** Tools for a service to open its ports. */
export interface MainTools {
  readonly logger: Logger;
  /** Registers a function that runs after the service has stopped, also after a failed start; in reverse order. */
  onClose(close: () => Promise<void>): void;
  /** See `waitForServer`; a stop ends the wait. */
  waitFor<T>(attempt: () => Promise<T>, server: Pick<WaitOptions, 'server' | 'setting' | 'isAway'>): Promise<T>;
  /** For a service that cannot continue: writes a log line and one sentence, exits with code 1. */
  onFatal(error: Error): void;
}

export interface MainDefinition<Settings extends { readonly LOG_LEVEL: LogLevel }> {
  /** Of the service's log: `group-node-2`. */
  readonly name: (settings: Settings) => string;
  /** All variables of the service: the first log line shows changed ones and reports misspelt ones. */
  readonly variables: z.ZodObject;
  /** Reads all settings of the service from its environment. @throws ConfigurationError */
  readonly read: (environment: Environment) => Settings;
  /** Opens the ports and creates the service; `runMain` starts it. */
  readonly open: (settings: Settings, tools: MainTools) => Promise<Service & HealthSource & { readonly port: number }>;
  /** Variable that names the port. */
  readonly portSetting: string;
  /** Variable that names the interface. */
  readonly hostSetting: string;
  /** A sentence for failures specific to this service. */
  readonly describe?: (error: unknown) => string | undefined;
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const endFatally =
  (logger: Logger, what: string) =>
  (error: unknown): never => {
    logger.fatal({ err: error }, what);
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exit(1);
  };

/** Open resources, closed once in reverse order, even if some fail. */
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
  { tools, own, stop }: Running,
): Promise<void> => {
  const service = await definition.open(settings, tools);
  tools.onClose(() => service.stop());
  stop.signal.throwIfAborted();
  await service.start();
  const { name, port } = service;
  const startedInMs = Math.round(performance.now());
  own.info({ port, startedInMs }, 'started: it takes requests');
  const { ready } = await readinessNow(service);
  const line = { service: name, port, pid: process.pid, startedInMs, ready };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  const follower = followReadiness(service, own);
  await stop.asked;
  follower.stop();
};

interface Running {
  readonly tools: MainTools;
  /** Log with the name of the service in each line; parts of the service add the name themselves. */
  readonly own: Logger;
  readonly stop: StopRequest;
}

const logStart = ({ variables }: Pick<MainDefinition<never>, 'variables'>, logger: Logger): void => {
  const settings = changedSettings(variables, process.env);
  logger.info({ version: softwareVersion, node: process.version, pid: process.pid, settings }, 'starting');
};

/** Logs the request to stop; the returned function logs its end. */
const logStop = ({ asked, signal }: StopRequest, logger: Logger): (() => void) => {
  let began = performance.now();
  void asked.then(() => {
    began = performance.now();
    logger.info({ why: (signal.reason as StopAsked).why }, 'stopping');
  });
  return () => logger.info({ tookMs: Math.round(performance.now() - began) }, 'stopped');
};

const run = async <Settings extends { readonly LOG_LEVEL: LogLevel }>(
  definition: MainDefinition<Settings>,
): Promise<number> => {
  requireSupportedNode();
  const settings = definition.read(process.env);
  const logger = createLogger({ level: settings.LOG_LEVEL, destination: destination({ dest: 2, sync: true }) });
  const own = logger.child({ service: definition.name(settings) });
  logStart(definition, own);
  for (const sentence of unknownSettings(variablesOf(definition.variables), process.env)) own.warn(sentence);
  process.on('uncaughtException', endFatally(own, 'an exception was not caught'));
  process.on('unhandledRejection', endFatally(own, 'a rejection was not handled'));
  const stop = listenForStop(() => own.error('the stop in order took too long'));
  const closers = new Closers(own);
  const tools: MainTools = {
    logger,
    onClose: (close) => closers.add(close),
    waitFor: (attempt, server) => waitForServer(attempt, { ...server, logger: own, signal: stop.signal }),
    onFatal: endFatally(own, 'the service cannot go on'),
  };
  const logStopped = logStop(stop, own);
  try {
    await serve(definition, settings, { tools, own, stop });
  } catch (error) {
    if (!stop.signal.aborted) {
      logRefusal(definition, own, error);
      reportFailure(definition, error);
      // The failure is reported; a hanging close must not delay the exit.
      setTimeout(() => process.exit(1), failedStopWithinMs);
      await closers.close();
      return 1;
    }
    if (!isInterruption(error)) own.error({ err: error }, 'the start failed while it was stopped');
  }
  const isClean = await closers.close();
  logStopped();
  return isClean ? 0 : 1;
};

const failedStopWithinMs = 5_000;

const isInterruption = (error: unknown): boolean =>
  error instanceof StopAsked || (error instanceof Error && error.name === 'AbortError');

type Describing = Pick<MainDefinition<never>, 'describe' | 'portSetting' | 'hostSetting'>;

/** Undefined for a fault of ours. */
const refusalOf = ({ describe, portSetting, hostSetting }: Describing, error: unknown): string | undefined =>
  describe?.(error) ?? startFailureText(error, ` with ${portSetting}`, hostSetting);

const logRefusal = (definition: Describing, logger: Logger, error: unknown): void => {
  const reason = refusalOf(definition, error);
  if (reason === undefined) logger.warn({ err: error }, 'the start failed');
  else logger.warn({ reason }, 'the start was refused');
};

const reportFailure = (definition: Describing, error: unknown): void => {
  process.stderr.write(`${refusalOf(definition, error) ?? textOf(error)}\n`);
};

/**
 * `main.ts` of a service: settings from the environment, start, one line of JSON on standard output when it takes
 * requests (`ready`: whether it is already ready), graceful shutdown at SIGTERM or SIGINT. Ends the process with code 0
 * after a graceful shutdown, or 1 after a failed start or a fault, with one sentence on standard error. The log goes to
 * standard error too.
 */
export const runMain = async <Settings extends { readonly LOG_LEVEL: LogLevel }>(
  definition: MainDefinition<Settings>,
): Promise<never> => {
  try {
    process.exitCode = await run(definition);
  } catch (error) {
    reportFailure(definition, error);
    process.exitCode = 1;
  }
  // Timers of libraries would keep the process alive for seconds.
  return process.exit();
};

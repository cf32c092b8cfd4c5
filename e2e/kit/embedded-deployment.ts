import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedDatabase } from '@shardnode/core/database';
import { engineOptions } from '@shardnode/core/process';
import { freePort } from '@shardnode/core/servers';
import { builtProgram } from '@shardnode/testing/built-program';
import { type Environment, type ProcessEnd, startProcess, type StartedProcess } from './child-process.js';
import { type Deployment, type Ready, type Start } from './deployment.js';
import { waitFor } from './wait-for.js';

const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '../..');
const injectedMain = join(projectFolder, 'e2e/kit/injected-main.mjs');

const readyWithinMs = 60_000;
const stopWithinMs = 20_000;

const parseReady = (line: string): Ready => JSON.parse(line) as Ready;

/**
 * A start of the embedded network as a person would do it, with the folder and port of the settings; without the
 * explorer, unless they say otherwise.
 */
export const beginEmbedded = (settings: Environment, args: readonly string[] = ['--json']): StartedProcess => {
  const program = builtProgram('localnet');
  const start = settings['CRASH_AT'] === undefined ? [program] : [injectedMain, program];
  const environment = { EXPLORER: 'off', ...settings };
  return startProcess(process.execPath, [...engineOptions, ...start, ...args], environment, projectFolder);
};

const startOf = (started: StartedProcess): Start => {
  const ready = started.line((line) => line.startsWith('{"baseUrl"'), readyWithinMs).then(parseReady);
  // Who only waits for the end must not be bothered by the failure to get ready.
  ready.catch(() => undefined);
  return {
    pid: started.pid,
    ready,
    ended: started.ended,
    kill9: () => started.signal('SIGKILL'),
    standardError: started.standardError,
    standardOutput: started.standardOutput,
  };
};

/** The explorer starts when the network is ready. */
const explorerStarted = async ({ explorerUrl }: Ready): Promise<void> => {
  if (explorerUrl === undefined) return;
  const isThere = async (): Promise<boolean> => (await fetch(`${explorerUrl}/health/live`)).ok;
  await waitFor('the explorer to answer', isThere, { timeoutMs: readyWithinMs });
};

/** The whole network in one process, and its explorer in another one; data in a folder of its own. */
export const embeddedDeployment = (settings: Environment): Deployment => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-e2e-'));
  const dataDir = join(folder, 'data');
  const history: StartedProcess[] = [];
  let kept: Environment = settings;
  let port: number | undefined;
  let baseUrl = '';

  const running = (): StartedProcess | undefined => {
    const last = history.at(-1);
    return last?.end() ? undefined : last;
  };
  const begin = async (once: Environment = {}, ...args: readonly string[]): Promise<Start> => {
    if (running()) throw new Error('the network runs already');
    port ??= await freePort();
    // Scenarios run over networks of other kinds, too, which have no wallets but their own.
    const settings = { PORT: String(port), WS_PORT: '0', DATA_DIR: dataDir, DEV_WALLET: 'false', ...kept, ...once };
    const started = beginEmbedded(settings, ['--json', ...args]);
    history.push(started);
    baseUrl = `http://127.0.0.1:${port}`;
    return startOf(started);
  };
  const start = async (more: Environment = {}, ...args: readonly string[]): Promise<Ready> => {
    kept = { ...kept, ...more };
    const ready = await (await begin({}, ...args)).ready;
    baseUrl = ready.baseUrl;
    await explorerStarted(ready);
    return ready;
  };
  const stop = async (): Promise<ProcessEnd> => {
    const process = running();
    if (!process) return { code: null, signal: null };
    const impatience = setTimeout(() => process.signal('SIGKILL'), stopWithinMs);
    process.signal('SIGINT');
    const end = await process.ended;
    clearTimeout(impatience);
    return end;
  };
  return {
    name: 'embedded',
    get baseUrl() {
      return baseUrl;
    },
    dataDir,
    start,
    begin,
    stop,
    restart: async (more) => {
      await stop();
      return start(more);
    },
    kill9: async () => {
      const process = running();
      process?.signal('SIGKILL');
      await process?.ended;
    },
    openDatabases: () => {
      const { identity } = JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8')) as { identity: string };
      return openEmbeddedDatabase({ dataDir, identity });
    },
    log: () => history.map((process) => process.standardOutput() + process.standardError()).join('\n'),
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

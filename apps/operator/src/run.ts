import { unknownSettings } from '@shardnode/core/configuration';
import { ServiceError } from '@shardnode/core/errors';
import { startFailureText } from '@shardnode/core/process';
import { CommandFailure, UsageError, type Command, type CommandInput } from './command.js';
import { commands } from './commands.js';

const listOfCommands = (): string => {
  const width = Math.max(0, ...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return ['Tools for whoever runs a network.', '', '  npm run operator -- COMMAND', '', ...lines, ''].join('\n');
};

const describe = (error: unknown): string => {
  if (error instanceof CommandFailure) return error.message;
  // A failure of a service, not of this program.
  if (error instanceof ServiceError) return `A service answers: ${error.detail} (${error.code}).`;
  return startFailureText(error, '') ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
};

const inputOf = async ({ cluster }: Command, words: readonly string[]): Promise<CommandInput> => {
  const input = { words, environment: process.env };
  if (cluster === undefined) return input;
  const { nameCluster, reachCluster } = await import('./cluster/chosen-cluster.js');
  if (cluster === 'control') return nameCluster(input);
  return reachCluster(input, (line) => void process.stderr.write(`${line}\n`));
};

const runCommand = async (command: Command, words: readonly string[]): Promise<number> => {
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(`${command.usage}\n`);
    return 0;
  }
  try {
    const { variablesOfOperator } = await import('./variables.js');
    for (const sentence of unknownSettings(variablesOfOperator, process.env)) process.stderr.write(`${sentence}\n`);
    const run = await command.load();
    return await run(await inputOf(command, words));
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${command.usage}\n`);
      return 2;
    }
    process.stderr.write(`${describe(error)}\n`);
    return 1;
  }
};

const run = async (): Promise<number> => {
  const [name, ...words] = process.argv.slice(2);
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(listOfCommands());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(`There is no command ${JSON.stringify(name)}.\n\n${listOfCommands()}`);
    return 2;
  }
  return runCommand(command, words);
};

process.exitCode = await run();

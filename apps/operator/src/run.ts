import { nearestName, unknownSettings } from '@shardnode/core/configuration';
import { ServiceError } from '@shardnode/core/errors';
import { startFailureText } from '@shardnode/core/process';
import { CommandFailure, UsageError, type Command, type CommandInput } from './command.js';
import { commands } from './commands.js';

const listOfCommands = (): string => {
  const width = Math.max(0, ...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Tools for whoever runs a network.',
    '',
    '  npm run operator -- COMMAND',
    '',
    ...lines,
    '',
    'COMMAND --help, or help COMMAND, says more of one.',
    '',
  ].join('\n');
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

/** The command that a wrong name may mean: one that it begins, or a similar one. */
const meantBy = (name: string): string | undefined => {
  const names = Object.keys(commands);
  return names.find((each) => name.length > 1 && each.startsWith(name)) ?? nearestName(name, names);
};

const noSuchCommand = (name: string): string => {
  const meant = meantBy(name);
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `There is no command ${JSON.stringify(name)}.${question}\nnpm run operator -- --help lists all commands.\n`;
};

const helpWords = ['--help', '-h', 'help'];

const run = async (): Promise<number> => {
  const [first, ...rest] = process.argv.slice(2);
  const isHelp = helpWords.includes(first ?? '');
  const [name, ...words] = isHelp && rest.length > 0 ? [...rest, '--help'] : [first, ...rest];
  if (name === undefined || helpWords.includes(name)) {
    process.stdout.write(listOfCommands());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(noSuchCommand(name));
    return 2;
  }
  return runCommand(command, words);
};

process.exitCode = await run();

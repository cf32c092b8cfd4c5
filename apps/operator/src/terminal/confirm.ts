import { createInterface } from 'node:readline/promises';
import { CommandFailure } from '../command.js';

/** Source of the answer. */
export interface ConfirmInput {
  readonly isTerminal: boolean;
  readonly ask: (question: string) => Promise<string>;
}

const terminal = (): ConfirmInput => ({
  isTerminal: process.stdin.isTTY === true,
  ask: async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
});

/**
 * Asks the person to type a name, because the next step cannot be undone.
 * @throws CommandFailure for another answer, and without a terminal
 */
export const confirmByName = async (warning: string, name: string, input = terminal()): Promise<void> => {
  if (!input.isTerminal) throw new CommandFailure(`${warning} There is no terminal to confirm it: add --yes to go on.`);
  const answer = await input.ask(`${warning}\nType ${name} to go on: `);
  if (answer.trim() !== name) throw new CommandFailure('Nothing was done.');
};

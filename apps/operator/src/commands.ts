import { type Command } from './command.js';

/** Everything that the operator's program can do, by the word that asks for it. */
export const commands: Readonly<Record<string, Command>> = {};

/** A wrong use of a command: the program ends with 2 and tells how it is used. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A command that cannot be carried out. The message is all that the person at the terminal reads. */
export class CommandFailure extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'CommandFailure';
  }
}

/** What a command is given. */
export interface CommandInput {
  /** The words after the command's name. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Data folder of the local cluster that the command is about; undefined: none, the environment says where the network is. */
  readonly cluster?: string | undefined;
}

/** Resolves with the exit code of the process: 0 done, 1 not. Throws UsageError, ConfigurationError, StartFailure. */
export type RunCommand = (input: CommandInput) => Promise<number>;

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** How it is used, line by line. */
  readonly usage: string;
  /** It takes `--cluster DIR`: to reach the network there, or to control its processes. */
  readonly cluster?: 'reach' | 'control';
  /** Loads the code of this command alone: the others' libraries take time. */
  readonly load: () => Promise<RunCommand>;
}

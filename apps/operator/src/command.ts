/** A wrong use of a command: the program ends with 2 and prints the usage. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A command that failed. The person at the terminal reads only the message. */
export class CommandFailure extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'CommandFailure';
  }
}

/** The input of a command. */
export interface CommandInput {
  /** The words after the command's name. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Data folder of the local cluster of the command; undefined: none, the environment contains the address of the
   * network.
   */
  readonly cluster?: string | undefined;
}

/**
 * Resolves with the exit code of the process: 0 success, 1 failure. Throws UsageError, ConfigurationError,
 * StartFailure.
 */
export type RunCommand = (input: CommandInput) => Promise<number>;

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Usage, line by line. */
  readonly usage: string;
  /** It accepts `--cluster DIR`: to reach the network there, or to control its processes. */
  readonly cluster?: 'reach' | 'control';
  /** Loads the code of this command only, because the libraries of the others take time. */
  readonly load: () => Promise<RunCommand>;
}

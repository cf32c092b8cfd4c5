import { ConfigurationError } from '../configuration/index.js';
import { DatabaseError } from '../database/database-error.js';

/** A start that failed for a reason outside of this program. The message is for the operator. */
export class StartFailure extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartFailure';
  }
}

interface SystemError extends Error {
  readonly code?: string;
  readonly port?: number;
  readonly address?: string;
}

const isSystemError = (error: unknown): error is SystemError => error instanceof Error && 'code' in error;

const placeOf = (error: SystemError): string => `${error.address ?? 'this address'}:${error.port ?? '?'}`;

/**
 * One sentence, or one for each wrong setting, with the problem and the remedy. `otherPort` completes "choose another
 * port". Undefined for a failure that the operator cannot fix: a fault of the program, which is printed in full.
 */
export const startFailureText = (error: unknown, otherPort: string): string | undefined => {
  if (error instanceof ConfigurationError || error instanceof DatabaseError || error instanceof StartFailure) {
    return error.message;
  }
  if (!isSystemError(error)) return undefined;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Another program listens on ${placeOf(error)} already; stop it, or choose another port${otherPort}.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no interface ${error.address ?? ''}; set HOST to one that it has, for example 127.0.0.1.`;
    case 'EACCES':
      return `Listening on ${placeOf(error)} is not allowed; choose a port above 1023 with PORT.`;
    default:
      return undefined;
  }
};

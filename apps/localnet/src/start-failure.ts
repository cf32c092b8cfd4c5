import { ConfigurationError } from '@shardnode/core/configuration';
import { DatabaseError } from '@shardnode/core/database';

interface SystemError extends Error {
  readonly code?: string;
  readonly port?: number;
  readonly address?: string;
}

const isSystemError = (error: unknown): error is SystemError => error instanceof Error && 'code' in error;

/**
 * One sentence, or one for each wrong setting, that says what is wrong and what to do. Undefined for a failure that
 * nobody at the terminal can mend: a fault of ours, which is printed whole.
 */
export const describeStartFailure = (error: unknown): string | undefined => {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof DatabaseError) return error.message;
  if (!isSystemError(error)) return undefined;
  const place = `${error.address ?? 'this address'}:${error.port ?? '?'}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Another program listens on ${place} already; stop it, or choose another port: PORT=23973 npm start.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no interface ${error.address ?? ''}; set HOST to one that it has, for example 127.0.0.1.`;
    case 'EACCES':
      return `Listening on ${place} is not allowed; choose a port above 1023 with PORT.`;
    default:
      return undefined;
  }
};

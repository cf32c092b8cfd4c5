import { ConfigurationError } from '../configuration/index.js';
import { DatabaseError } from '../database/database-error.js';
import { authorityOf } from '../hosts/index.js';

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
  /** Of a name without an address. */
  readonly hostname?: string;
  /** `listen`, `getaddrinfo` */
  readonly syscall?: string;
}

const isSystemError = (error: unknown): error is SystemError => error instanceof Error && 'code' in error;

const placeOf = ({ address = 'this address', port }: SystemError): string =>
  port === undefined ? address : authorityOf(address, port);

/** Of an interface that cannot be listened on; undefined for any other failure. */
const wrongHostText = (error: SystemError, hostSetting: string): string | undefined => {
  const next = `set ${hostSetting} to one that it has, for example 127.0.0.1.`;
  if (error.syscall === 'getaddrinfo')
    return `The name ${error.hostname ?? ''} has no address on this machine; ${next}`;
  const isAbsent = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(error.code ?? '') && error.syscall === 'listen';
  return isAbsent ? `This machine has no interface ${error.address ?? ''}; ${next}` : undefined;
};

/**
 * One sentence, or one for each wrong setting, with the problem and the remedy. `otherPort` completes "choose another
 * port". `hostSetting` names the interface of a program that listens. Undefined for a failure that the operator cannot
 * fix: a fault of the program, which is printed in full.
 */
export const startFailureText = (error: unknown, otherPort: string, hostSetting?: string): string | undefined => {
  if (error instanceof ConfigurationError || error instanceof DatabaseError || error instanceof StartFailure) {
    return error.message;
  }
  if (!isSystemError(error)) return undefined;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Another program listens on ${placeOf(error)} already; stop it, or choose another port${otherPort}.`;
    case 'EACCES':
      return `Listening on ${placeOf(error)} is not allowed; choose a port above 1023 with PORT.`;
    default:
      return hostSetting === undefined ? undefined : wrongHostText(error, hostSetting);
  }
};

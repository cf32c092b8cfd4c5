/** Kinds of decode failure (protocol 01 §1). */
export type DecodeErrorKind = 'WrongFormat' | 'Validation';

/**
 * Thrown by every decoder when bytes are refused. The message texts are exact (protocol 01 §1): clients see them.
 * It is a refusal of the input, never a fault of this node.
 */
export class DecodeError extends Error {
  constructor(
    readonly kind: DecodeErrorKind,
    message: string,
  ) {
    super(message);
    this.name = 'DecodeError';
  }
}

export const wrongFormat = (message: string): DecodeError => new DecodeError('WrongFormat', message);
export const invalidValue = (message: string): DecodeError => new DecodeError('Validation', message);
export const tooFewBytes = (expected: number, got: number): DecodeError =>
  wrongFormat(`Too few bytes: expected ${expected}, got ${got}`);

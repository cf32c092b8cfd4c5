import { getSystemErrorMap } from 'node:util';

/** Why the operating system refused, in words: `no such file or directory`. Of any other error its text. */
export const systemErrorText = (error: unknown): string => {
  const { errno } = error as NodeJS.ErrnoException;
  const [, text] = (errno === undefined ? undefined : getSystemErrorMap().get(errno)) ?? [];
  return text ?? String(error);
};

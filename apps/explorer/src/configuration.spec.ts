import { expect, it } from '@jest/globals';
import { readExplorerSettings } from './configuration.js';

const read = (EXPLORER_HOST: string): string =>
  readExplorerSettings({ DATABASE_URL: 'postgresql://role:word@127.0.0.1/database', EXPLORER_HOST }).EXPLORER_HOST;

it('EXPLORER_HOST has one form, and a port in it is refused', () => {
  expect(read('[::1]')).toBe('::1');
  expect(read('')).toBe('0.0.0.0');
  expect(() => read('http://127.0.0.1:80')).toThrow(
    /^EXPLORER_HOST must be .*: write 127\.0\.0\.1; the port goes into EXPLORER_PORT\.$/,
  );
});

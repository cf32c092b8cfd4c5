import { describe, expect, it } from '@jest/globals';
import { Undo } from './undo.js';

describe('the undo steps of a stop', () => {
  it('run once, last first, the rest also when a step fails', async () => {
    const said: string[] = [];
    const undo = new Undo((error) => void said.push((error as Error).message));
    undo.add(() => void said.push('lock'));
    undo.add(async () => void said.push('servers'));
    undo.add(() => Promise.reject(new Error('a service does not stop')));
    undo.add(() => {
      throw new Error('no file');
    });
    expect(await undo.run()).toBe(false);
    expect(said.splice(0)).toEqual(['no file', 'a service does not stop', 'servers', 'lock']);
    expect(await undo.run()).toBe(true);
    expect(said).toEqual([]);
  });
});

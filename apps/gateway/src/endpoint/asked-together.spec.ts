import { describe, expect, it } from '@jest/globals';
import { askedTogether } from './asked-together.js';
import { JsonText } from './endpoint.js';
import { askingAtOnce, type Clients } from './plans.js';

const clients = {} as Clients;

describe('requests that come in one turn', () => {
  it('are asked once, and those of a later turn anew', async () => {
    let asked = 0;
    const together = askedTogether(
      askingAtOnce(
        async () => (asked += 1),
        () => undefined,
      ),
    );
    const first = [together(clients), together(clients)];
    expect(asked).toBe(0);
    expect(await Promise.all(first)).toEqual([1, 1]);
    expect(await together(clients)).toBe(2);
  });

  it('a question that has gone out is nobody else’s', async () => {
    let state = 'before';
    const answers: ((value: string) => void)[] = [];
    const together = askedTogether(async () => {
      const seen = state;
      await new Promise<string>((resolve) => answers.push(resolve));
      return seen;
    });
    const early = together(clients);
    while (answers.length < 1) await new Promise((resolve) => setImmediate(resolve));
    state = 'after';
    const late = together(clients);
    while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    answers.forEach((answer) => answer('now'));
    expect(await Promise.all([early, late])).toEqual(['before', 'after']);
  });

  it('an answer that is kept for its client is made for each', async () => {
    let released = 0;
    const together = askedTogether(async () => new JsonText('[]', () => (released += 1)));
    const answers = await Promise.all([together(clients), together(clients), together(clients)]);
    expect(new Set(answers).size).toBe(3);
    answers.forEach(({ onGone }) => onGone?.());
    expect(released).toBe(3);
  });

  it('share an error too, and the next ones do not', async () => {
    let fails = true;
    const together = askedTogether(async () => {
      if (fails) throw new Error('away');
      return 'here';
    });
    const outcomes = await Promise.allSettled([together(clients), together(clients)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await together(clients)).toBe('here');
  });
});

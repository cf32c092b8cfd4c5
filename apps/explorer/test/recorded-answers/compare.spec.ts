import { describe, expect, it } from '@jest/globals';
import { answerDifferences, differences } from './compare.js';
import { endpointOf } from './endpoints.js';

describe('the comparison with recorded answers', () => {
  it('takes additions, and nothing else', () => {
    expect(differences({ a: 1, list: [1, 2] }, { a: 1, list: [1, 2], more: 3 })).toEqual([]);
    expect(differences({ a: 1 }, { a: '1' })).toEqual(['$.a: 1 expected, "1" received']);
    expect(differences({ a: null }, {})).toEqual(['$.a: missing']);
    expect(differences([1, 2], [2, 1])).toHaveLength(2);
    expect(differences([1], [1, 2])).toEqual(['$: 1 items expected, 2 received']);
    expect(differences({ a: {} }, { a: null })).toEqual(['$.a: an object expected, null received']);
  });

  it('compares some members by their type, and leaves out those that ours have not', () => {
    const recorded = { lastSeen: 5, ghostUncles: [], commit: 'a' };
    expect(differences(recorded, { lastSeen: 6, commit: 'b' })).toEqual([]);
    expect(differences(recorded, { lastSeen: '6', commit: 'b' })).toHaveLength(1);
  });

  const entry = {
    id: '1',
    blocks: 1,
    clock: 1,
    method: 'GET',
    path: '/blocks',
    current: { status: 400 },
    detailStartsWith: 'Invalid value for: query parameter page',
  };
  const refusal = (detail: string) => ({ status: 400, text: '', body: { detail } });

  it('compares the beginning of the text of a refusal, in our words where the document has them', () => {
    expect(answerDifferences(entry, refusal('Invalid value for: query parameter page (other words)'))).toEqual([]);
    expect(answerDifferences(entry, refusal('Something else'))).toHaveLength(1);
    const recorded = 'Invalid value (expected value to pass validation: `fromTs` must be before `toTs`, but got: ...';
    const interval = { ...entry, detailStartsWith: recorded };
    const ours = 'Invalid value for: query parameter fromTs (`fromTs` must be before `toTs`)';
    expect(answerDifferences(interval, refusal(ours))).toEqual([]);
    expect(answerDifferences(interval, refusal(recorded))).toHaveLength(1);
  });

  it('compares the status first, and a text where there is no body', () => {
    expect(answerDifferences(entry, { status: 200, text: '[]', body: [] })).toHaveLength(1);
    const csv = { ...entry, current: { status: 200, text: 'a,b\n' } };
    expect(answerDifferences(csv, { status: 200, text: 'a,b\n', body: undefined })).toEqual([]);
    expect(answerDifferences(csv, { status: 200, text: 'a,c\n', body: undefined })).toEqual(['the text differs']);
  });

  it.each([
    ['GET', '/blocks/?page=2', 'GET /blocks'],
    ['GET', '/tokens/holders/coin', 'GET /tokens/holders/coin'],
    ['GET', `/tokens/${'ab'.repeat(32)}/transactions`, 'GET /tokens/{token_id}/transactions'],
    ['DELETE', '/blocks', 'others'],
  ])('%s %s is of %s', (method, path, endpoint) => {
    expect(endpointOf({ method, path })).toBe(endpoint);
  });
});

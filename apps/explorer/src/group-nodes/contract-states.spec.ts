import { describe, expect, it } from '@jest/globals';
import { coreError } from '@shardnode/core/errors';
import { feedError, type GroupClient, tooManyFeedRequests } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { ContractStates } from './contract-states.js';

const addressOfGroup = (group: number): string =>
  addressOf({ kind: 'p2c', contractId: `${'ab'.repeat(31)}${group.toString(16).padStart(2, '0')}` });
const address = addressOfGroup(2);

const refusing = (error: Error, asked: number[] = []): ContractStates =>
  new ContractStates({
    groups: 4,
    request: (group) => {
      asked.push(group);
      return Promise.reject(error);
    },
  } satisfies GroupClient);

describe('the state of a contract', () => {
  it.each([
    [feedError('UnknownContract', 'there is none'), 'not-found', `${address} not found`],
    [tooManyFeedRequests('too many', 20), 'unavailable', 'The group-node of group 2 is busy'],
    [feedError('NotReady', 'it starts'), 'unavailable', 'it starts'],
    [coreError('DeadlineExceeded', 'too slow'), 'unavailable', 'too slow'],
    [coreError('NoResponder', 'away'), 'unavailable', 'away'],
    [feedError('Internal', 'a fault'), 'broken', 'a fault'],
  ])('%s of the group-node is %s', async (error, kind, detail) => {
    await expect(refusing(error).of(address)).rejects.toMatchObject({ kind, detail });
  });

  it('is asked for at the group of the contract, and not at all when there is none', async () => {
    const asked: number[] = [];
    const states = refusing(feedError('UnknownContract', 'there is none'), asked);
    for (const group of [3, 0, 4, 200]) await states.of(addressOfGroup(group)).catch(() => undefined);
    expect(asked).toEqual([3, 0]);
  });
});

import { addressOf } from '@shardnode/protocol/address';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { groupOfLockupScript } from '@shardnode/protocol/primitives';
import { type Account } from './announcement.js';

/** The addresses that the genesis blocks pay to, by group, with their present balances as the API tells them. */
export const fundedAccounts = async (
  network: NetworkSettings,
  baseUrl: string,
  apiKey: string | undefined,
): Promise<Account[]> => {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'X-API-KEY': apiKey };
  const accounts = network.allocations.map(async ({ lockupScript }) => {
    const address = addressOf(lockupScript);
    const answer = await fetch(`${baseUrl}/addresses/${address}/balance`, { headers });
    const { balanceHint } = (await answer.json()) as { balanceHint?: string };
    return { address, group: groupOfLockupScript(lockupScript, network.groups), balance: balanceHint ?? 'unknown' };
  });
  return (await Promise.all(accounts)).sort((a, b) => a.group - b.group);
};

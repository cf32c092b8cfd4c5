import { addressOf } from '@shardnode/protocol/address';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript, groupOfLockupScript } from '@shardnode/protocol/primitives';
import { type Account } from './announcement.js';

/** A genesis may pay hundreds of thousands of times; people want to see some accounts. */
const mostShown = 16;

/** The first addresses that the genesis blocks pay to, by group, with their present balances as the API tells them. */
export const fundedAccounts = async (
  network: NetworkSettings,
  baseUrl: string,
  apiKey: string | undefined,
): Promise<Account[]> => {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'X-API-KEY': apiKey };
  const funded = new Map<string, AssetLockupScript>();
  for (const { lockupScript } of network.allocations) {
    if (funded.size < mostShown) funded.set(addressOf(lockupScript), lockupScript);
  }
  const accounts = [...funded].map(async ([address, lockupScript]) => {
    const answer = await fetch(`${baseUrl}/addresses/${address}/balance`, { headers });
    const { balanceHint } = (await answer.json()) as { balanceHint?: string };
    return { address, group: groupOfLockupScript(lockupScript, network.groups), balance: balanceHint ?? 'unknown' };
  });
  return (await Promise.all(accounts)).sort((a, b) => a.group - b.group);
};

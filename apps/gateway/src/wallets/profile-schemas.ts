import { type z } from 'zod';
import { type ApiProfile } from '../settings/api-settings.js';
import { Addresses, AddressesWithInfos, Balances, BalancesAsTexts } from './wallets.schemas.js';

/**
 * The schema of a response in a profile: the schema itself, unless a switch selects another form (protocol 07 §1.3).
 */
export const schemaInProfile = (
  schema: z.ZodType,
  { walletAddresses, walletBalances }: Pick<ApiProfile, 'walletAddresses' | 'walletBalances'>,
): z.ZodType => {
  if (schema === Addresses && walletAddresses === 'infos') return AddressesWithInfos;
  if (schema === Balances && walletBalances === 'string') return BalancesAsTexts;
  return schema;
};

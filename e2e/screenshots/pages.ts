import { type Places } from './busy-network.js';

/** Pages by the name of their pictures. */
export const pages = (at: Places): Readonly<Record<string, string>> => ({
  network: '',
  chain: 'chain/0/2',
  block: `block/${at['block']!}`,
  payment: `tx/${at['payment']!}`,
  payout: `tx/${at['payout']!}`,
  call: `tx/${at['call']!}`,
  address: `address/${at['address']!}`,
  events: `address/${at['address']!}?tab=events`,
  'small-outputs': `address/${at['small']!}`,
  contract: `address/${at['market']!}`,
  collection: `address/${at['collection']!}`,
  token: `token/${at['token']!}`,
  stats: 'stats',
  richlist: 'richlist',
  about: 'about',
  missing: `tx/${'ab'.repeat(32)}`,
});

/** Pages of what waits. */
export const waitingPages = (txId: string): Readonly<Record<string, string>> => ({
  pending: 'pending',
  waiting: `tx/${txId}`,
});
